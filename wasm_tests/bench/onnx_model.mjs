// SPDX-License-Identifier: MIT
// ONNX models of one node, as bytes: just enough of protobuf's wire format to ask onnxruntime-web for one operator.

function varint(number) {
  const bytes = []
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number & 127) | 128)
  return [...bytes, number]
}

const integer = (field, value) => [...varint(field << 3), ...varint(value)]
const block = (field, bytes) => [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes]
const text = (field, value) => block(field, [...Buffer.from(value)])

const FLOAT = 1
const INTEGER_ATTRIBUTE = 2

/** ValueInfoProto: a name with a float tensor's shape. */
function valueInfo(name, dims) {
  const shape = dims.flatMap((dim) => block(1, integer(1, dim)))
  return [...text(1, name), ...block(2, block(1, [...integer(1, FLOAT), ...block(2, shape)]))]
}

const attribute = ([name, value]) => [...text(1, name), ...integer(3, value), ...integer(20, INTEGER_ATTRIBUTE)]

/**
 * A model that computes `output` = operator(inputs). inputs and output: name to dims; attributes: name to integer;
 * domain: '' for ONNX's own operators.
 */
export function onnxModel({ operator, domain = '', inputs, output, attributes = {} }) {
  const node = [
    ...Object.keys(inputs).flatMap((name) => text(1, name)),
    ...Object.keys(output).flatMap((name) => text(2, name)),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap((entry) => block(5, attribute(entry))),
    ...(domain ? text(7, domain) : []),
  ]
  const graph = [
    ...block(1, node),
    ...text(2, 'bench'),
    ...Object.entries(inputs).flatMap(([name, dims]) => block(11, valueInfo(name, dims))),
    ...Object.entries(output).flatMap(([name, dims]) => block(12, valueInfo(name, dims))),
  ]
  const opset = (name, version) => block(8, [...(name ? text(1, name) : []), ...integer(2, version)])
  return [...integer(1, 8), ...block(7, graph), ...opset('', 13), ...(domain ? opset(domain, 1) : [])]
}
