// SPDX-License-Identifier: MIT
// What only a reader of lookback-decoder needs, in a chunk of its own that is loaded when the figure comes near.
export { headView, mapView } from './decoder_attention_views.js';
export { arraysOf, describeToken } from './decoder_data.js';
export { DecoderLoader } from './decoder_loader.js';
export { canPaintThumbsLive, MapPainter } from './decoder_map.js';
export { anotherView, emptyView, factsView, type OpenContext } from './decoder_open_views.js';
export { controlsView, placeView, stripView, textView, type WritingContext } from './decoder_views.js';
export { DecoderWriter } from './decoder_writer.js';
