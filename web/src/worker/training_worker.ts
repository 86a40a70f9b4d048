// SPDX-License-Identifier: MIT
// The worker of a training run: its host behind a message port.
import { expose } from 'comlink';
import { TrainingHost } from '../engine/training_host.js';

expose(new TrainingHost());
