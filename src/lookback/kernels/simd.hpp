// SPDX-License-Identifier: MIT
// One small vocabulary of vector arithmetic: a Vec holds kLanes numbers, and every target defines the same names, the
// scalar one last. Kernels are written once over it. Not for public headers: the widest Vec depends on compile options.
//
//   load, store, splat            unaligned memory; one number in every lane
//   add, sub, mul, div            lane by lane
//   mul_add(a, b, c)              a b + c; fused where the target can, so the last bit differs between targets
//   pin(x)                        keeps this step where it is written, where compilers would shuffle it to harm
//   min, max                      lane by lane; when either is NaN the second is taken
//   less(a, b), is_nan(a)         masks; select(mask, a, b) takes a where the mask is set
//   low_bits_to_exponent(x)       the bits of x shifted left by 23: what vector_math.hpp makes powers of two of
//   horizontal_sum, horizontal_max
//   transpose_4x4(in, stride, out, out_stride)   a 4 x 4 block of floats
#pragma once

#if defined(LOOKBACK_SIMD_SCALAR)
#include "lookback/kernels/simd/scalar.hpp"
#elif defined(__wasm_simd128__)
#include "lookback/kernels/simd/wasm.hpp"
#elif defined(__AVX512F__)
#include "lookback/kernels/simd/avx512.hpp"
#elif defined(__AVX2__) && defined(__FMA__)
#include "lookback/kernels/simd/avx2.hpp"
#elif defined(__SSE2__) || defined(_M_X64)
#include "lookback/kernels/simd/sse2.hpp"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include "lookback/kernels/simd/neon.hpp"
#else
#include "lookback/kernels/simd/scalar.hpp"
#endif
