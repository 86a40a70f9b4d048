// SPDX-License-Identifier: MIT
// Everything a program needs to compute attention and to run a decoder, in one include.
#pragma once

#include "lookback/attention/lookup.hpp"
#include "lookback/attention/mask.hpp"
#include "lookback/attention/multi_head.hpp"
#include "lookback/attention/position.hpp"
#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/attention/score.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/model_file.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/models/decoder/sampler.hpp"
#include "lookback/models/decoder/session.hpp"
#include "lookback/nn/embedding.hpp"
#include "lookback/nn/feed_forward.hpp"
#include "lookback/nn/linear.hpp"
#include "lookback/nn/norm.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/softmax.hpp"
