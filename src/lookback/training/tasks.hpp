// SPDX-License-Identifier: MIT
// The tasks that make_task chooses from. Internal.
#pragma once

#include "lookback/training/task.hpp"

namespace lookback::training {

std::unique_ptr<Task> make_date_task();

}  // namespace lookback::training
