// SPDX-License-Identifier: MIT
// C = A B for batches of row-major f32 matrices of any size: A [M,K], B [K,N], C [M,N].
// One workgroup computes a 64 x 64 tile of C, each of its 256 invocations 4 x 4 of it.
// Elements outside the matrices count as zero, so remainders of M, N and K are exact.

struct Sizes {
  m: u32,
  n: u32,
  k: u32,
  batch: u32,
  // Elements from one matrix of the batch to the next; 0 uses the same one for all.
  a_stride: u32,
  b_stride: u32,
  tiles_m: u32,
  tiles_n: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const tile_edge = 64u;
const tile_depth = 16u;
const loads = 4u;

// Both are [k][row or column]; 4096 bytes each.
var<workgroup> a_tile: array<f32, 1024>;
var<workgroup> b_tile: array<f32, 1024>;

fn load_a(lane: u32, batch: u32, row0: u32, k0: u32) {
  for (var i = 0u; i < loads; i++) {
    let index = lane + i * 256u;
    let k = index % tile_depth;
    let row = index / tile_depth;
    var value = 0.0;
    if (row0 + row < sizes.m && k0 + k < sizes.k) {
      value = a[batch * sizes.a_stride + (row0 + row) * sizes.k + k0 + k];
    }
    a_tile[k * tile_edge + row] = value;
  }
}

fn load_b(lane: u32, batch: u32, column0: u32, k0: u32) {
  for (var i = 0u; i < loads; i++) {
    let index = lane + i * 256u;
    let column = index % tile_edge;
    let k = index / tile_edge;
    var value = 0.0;
    if (column0 + column < sizes.n && k0 + k < sizes.k) {
      value = b[batch * sizes.b_stride + (k0 + k) * sizes.n + column0 + column];
    }
    b_tile[k * tile_edge + column] = value;
  }
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Tiles are spread over two dimensions, since one dispatch dimension ends at 65535.
  let tile = group.y * groups.x + group.x;
  let tiles = sizes.tiles_m * sizes.tiles_n;
  if (tile >= tiles * sizes.batch) {
    return;
  }
  let batch = tile / tiles;
  let row0 = ((tile % tiles) / sizes.tiles_n) * tile_edge;
  let column0 = (tile % sizes.tiles_n) * tile_edge;

  var sums = array<vec4f, 4>();
  for (var k0 = 0u; k0 < sizes.k; k0 += tile_depth) {
    load_a(lane, batch, row0, k0);
    load_b(lane, batch, column0, k0);
    workgroupBarrier();
    for (var k = 0u; k < tile_depth; k++) {
      let at = k * tile_edge + local.y * 4u;
      let bt = k * tile_edge + local.x * 4u;
      let row = vec4f(b_tile[bt], b_tile[bt + 1u], b_tile[bt + 2u], b_tile[bt + 3u]);
      sums[0] += a_tile[at] * row;
      sums[1] += a_tile[at + 1u] * row;
      sums[2] += a_tile[at + 2u] * row;
      sums[3] += a_tile[at + 3u] * row;
    }
    workgroupBarrier();
  }

  for (var i = 0u; i < 4u; i++) {
    let row = row0 + local.y * 4u + i;
    for (var j = 0u; j < 4u; j++) {
      let column = column0 + local.x * 4u + j;
      if (row < sizes.m && column < sizes.n) {
        c[batch * sizes.m * sizes.n + row * sizes.n + column] = sums[i][j];
      }
    }
  }
}
