// SPDX-License-Identifier: MIT
// The worker: a decoder host behind a message port.
import { expose } from 'comlink';
import { DecoderHost } from '../engine/decoder_host.js';

expose(new DecoderHost());
