// SPDX-License-Identifier: MIT
// <lookback-decoder>: a model that the reader or the page's author gives writes token by token; what it weighed and read is shown.
import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import type { Decoder, Lookback, Progress, Step } from '../engine/types.js';
import { FigureElement, figureStyles, type NamedArray } from '../kit/index.js';
import { Frames } from '../kit/frames.js';
import { ownModel, savesData } from './own_model.js';
import type { DecoderLoader } from './decoder_loader.js';
import type { MapPainter } from './decoder_map.js';
import { decoderTable, fromAddresses, idsOfText, selectionOf, sortFiles, type Chosen, type DecoderState, type TokenRow } from './decoder_model.js';
import type { OpenContext, WritingContext } from './decoder_screens.js';
import { decoderStyles } from './decoder_styles.js';
import type { DecoderWriter } from './decoder_writer.js';

type Screens = typeof import('./decoder_screens.js');

const sourceAttributes = ['src', 'tokenizer'];
/** As `src`: the figure waits for its reader to open a model. */
const kNoModel = 'none';

/** What there is to show: a model or none; its text is the writer's. */
export interface DecoderResult {
  decoder: Decoder | undefined;
}

export interface DecoderElement extends DecoderState {}

export class DecoderElement extends FigureElement<DecoderResult> {
  static override readonly table = decoderTable;
  static override styles: CSSResultGroup = [...figureStyles, decoderStyles];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...sourceAttributes];
  }

  protected readonly titleKey = 'decoder.title';
  protected override readonly labels = { temperature: 'τ', topK: 'k', topP: 'p', maxTokens: 'tokens', layer: 'layer', head: 'head' };

  #screens: Screens | undefined;
  #loader: DecoderLoader | undefined;
  #writer: DecoderWriter | undefined;
  #painter: MapPainter | undefined;
  /** To be loaded as soon as there is an engine. */
  #wanted: Chosen | undefined;
  #isDraggedOver = false;
  #areNumbersShown = false;
  readonly #frames = new Frames(() => this.invalidate());
  #said = '';

  constructor() {
    super();
    this.addEventListener('dragover', (event) => this.#drag(event, true));
    this.addEventListener('dragleave', (event) => this.#drag(event, false));
    this.addEventListener('drop', (event) => this.#drop(event));
  }

  /**
   * Address of a model, for authors who host one; without it the package's own is opened when the figure is first seen, with "none" the
   * reader's alone. Not part of the state in a page's URL, so that a link makes nobody's browser fetch.
   */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }
  set src(value: string) {
    this.setAttribute('src', value);
  }

  get tokenizer(): string {
    return this.getAttribute('tokenizer') ?? '';
  }
  set tokenizer(value: string) {
    this.setAttribute('tokenizer', value);
  }

  /** Every step of the present text, as the engine gave it. */
  get steps(): readonly Step[] {
    return this.#rows.map(({ step }) => step);
  }

  get #rows(): readonly TokenRow[] {
    return this.#writer?.rows ?? [];
  }

  get decoder(): Decoder | undefined {
    return this.#loader?.decoder;
  }

  // --- Life

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    super.attributeChangedCallback(name, old, text);
    if (!sourceAttributes.includes(name) || old === text || this.src === '' || this.src === kNoModel) return;
    this.#wanted = fromAddresses(this.src, this.tokenizer);
    this.requestUpdate();
  }

  protected override async prepare(): Promise<void> {
    this.#screens = await import('./decoder_screens.js');
    const { DecoderLoader, DecoderWriter, MapPainter } = this.#screens;
    this.#painter ??= new MapPainter();
    this.#loader ??= new DecoderLoader({
      changed: () => this.invalidate(),
      progressed: (progress) => this.#progressed(progress),
      failed: (error, where) => this.#fail('load', error, where),
      loaded: (decoder) => this.#loaded(decoder),
    });
    this.#writer ??= new DecoderWriter({
      wrote: () => this.#wrote(),
      rested: () => this.#rested(),
      failed: (error) => this.#fail('write', error, ''),
    });
    if (this.src === '' && !savesData()) this.#wanted ??= ownModel();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#frames.cancel();
    this.#writer?.clear();
    const chosen = this.#loader?.close();
    // An element that is only moved opens its model again where it arrives.
    if (chosen?.model) this.#wanted ??= chosen;
    // What was shown belonged to a decoder that is gone.
    this.result = undefined;
    this.invalidate();
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#paint();
    const wanted = this.#wanted;
    if (!wanted || !this.engine || !this.isNear) return;
    this.#wanted = undefined;
    void this.#loader?.open(this.engine, wanted);
  }

  // --- Opening a model

  #drag(event: DragEvent, isOver: boolean): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (this.#isDraggedOver === isOver) return;
    this.#isDraggedOver = isOver;
    this.requestUpdate();
  }

  #drop(event: DragEvent): void {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    this.#drag(event, false);
    void this.#open(sortFiles(files));
  }

  async #open(pending: Promise<Chosen>): Promise<void> {
    this.#wanted = await pending;
    this.problems.clear('load');
    this.requestUpdate();
  }

  #openUrls(model: string, tokenizer: string): void {
    if (model !== '') return void this.#open(Promise.resolve(fromAddresses(model, tokenizer)));
    this.#fail('load', new Error(this.t('decoder.url.missing')), '');
  }

  #progressed(progress: Progress): void {
    this.fire('progress', progress);
    this.invalidate();
  }

  #loaded(decoder: Decoder): void {
    this.#writer?.clear();
    this.problems.clear('load');
    this.problems.clear('write');
    this.#said = this.t('decoder.loaded', { name: decoder.info.name || this.#loader?.current.model?.name });
    this.invalidate();
  }

  #fail(key: string, error: unknown, where: string): void {
    const text = error instanceof Error ? error.message : String(error);
    const code = (error as { code?: unknown } | null)?.code;
    const message = where === '' || text.includes(where) ? text : this.t('decoder.error.file', { where, message: text });
    const problem = { code: typeof code === 'string' ? code : 'value', where, message };
    this.problems.set(key, problem);
    this.fire('error', problem);
    this.invalidate();
  }

  // --- Writing

  /** Starts from the prompt, or goes on where the text is; resolves when it rests. */
  async #write(count: number, fromPrompt: boolean): Promise<void> {
    const writer = this.#writer;
    const { decoder } = this;
    if (!writer || !decoder) return;
    this.problems.clear('write');
    try {
      if (!fromPrompt) return await writer.resume(this.#state, count);
      const ids = decoder.info.hasTokenizer ? await decoder.tokenize(this.prompt) : idsOfText(this.prompt);
      if (!ids) throw new RangeError(this.t('decoder.error.ids'));
      await writer.start(decoder, this.#state, ids, ids.map(() => 'prompt'), count);
    } catch (error) {
      if (decoder === this.decoder) this.#fail('write', error, '');
    }
  }

  #take(position: number, token: number): void {
    if (!this.decoder) return;
    this.problems.clear('write');
    void this.#writer?.take(this.decoder, this.#state, position, token, this.maxTokens);
    this.edit({ position });
  }

  /** Tokens may come faster than the screen shows them. */
  #wrote(): void {
    this.fire('progress', { phase: 'generate', loaded: this.#rows.length });
    this.#frames.ask(this.#rows.length);
  }

  #rested(): void {
    const rows = this.#rows;
    this.fire('progress', { phase: 'rest', loaded: rows.length });
    this.#said = this.t('decoder.said', { count: rows.length, text: rows.map(({ step }) => step.text).join('') });
    this.invalidate();
  }

  // --- Showing

  get #state(): DecoderState {
    const { prompt, temperature, topK, topP, seed, maxTokens, layer, head, position } = this;
    return { prompt, temperature, topK, topP, seed, maxTokens, layer, head, position };
  }

  protected compute(_engine: Lookback): DecoderResult {
    return { decoder: this.decoder };
  }

  #opening(): OpenContext {
    return {
      ...{ loader: this.#loader!, isDraggedOver: this.#isDraggedOver, language: this.language },
      onFiles: (files) => void this.#open(sortFiles(files)),
      onOwn: () => void this.#open(Promise.resolve(ownModel())),
      onUrls: (model, tokenizer) => this.#openUrls(model, tokenizer),
      onCancel: () => this.#loader?.cancel(),
      t: (key, values) => this.t(key, values),
    };
  }

  #writing(decoder: Decoder): WritingContext {
    const writer = this.#writer!;
    return {
      ...{ state: this.#state, decoder, writer, areNumbersShown: this.#areNumbersShown, kindWords: this.kindWords, language: this.language },
      selection: selectionOf(this.#state, decoder.info, writer.rows.length),
      cells: (name) => this.cells(name),
      onEdit: (changes) => this.edit(changes),
      onWrite: (count, fromPrompt) => void this.#write(count, fromPrompt),
      onStop: () => writer.pause(),
      onTake: (position, token) => this.#take(position, token),
      onNumbers: (areShown) => {
        this.#areNumbersShown = areShown;
        this.requestUpdate();
      },
      onReadout: (text) => {
        const readout = this.renderRoot.querySelector('.readout');
        if (readout) readout.textContent = text;
      },
      t: (key, values) => this.t(key, values),
      parts: (key, values) => this.parts(key, values),
    };
  }

  protected inputs({ decoder }: DecoderResult): unknown {
    const { emptyView, factsView, anotherView, controlsView } = this.#screens!;
    if (!decoder) return emptyView(this.#opening());
    return html`${factsView(decoder, this.#loader!.current, this.engine!.build, this.#opening())}
      <div data-export="skip">${anotherView(this.#opening(), !decoder.info.hasTokenizer)} ${controlsView(this.#writing(decoder))}</div>`;
  }

  protected results({ decoder }: DecoderResult): TemplateResult {
    const rows = this.#rows;
    const { textView, stripView, placeView, headView, mapView } = this.#screens!;
    const said = html`<p class="unseen" role="status">${this.#said}</p>`;
    if (!decoder || rows.length === 0) return said;
    const context = this.#writing(decoder);
    return html`${said} ${textView(context)} ${stripView(context)} ${placeView(context, rows.length > 1 ? headView(context) : nothing)} ${mapView(context)}`;
  }

  #paint(): void {
    const { result } = this;
    if (!result?.decoder || !this.#painter || !this.#screens) return;
    const { decoder: { info } } = result;
    const rows = this.#rows;
    const figure = this.renderRoot.querySelector('.figure')!;
    const selection = selectionOf(this.#state, info, rows.length);
    const map = this.renderRoot.querySelector<HTMLCanvasElement>('.map');
    const thumbs = this.renderRoot.querySelector<HTMLCanvasElement>('.thumbs');
    if (map && rows.length > 1) this.#painter.paintMap(map, figure, rows, selection);
    const canPaint = this.#writer?.activity !== 'running' || this.#screens.canPaintThumbsLive(rows, info);
    if (thumbs && canPaint) this.#painter.paintThumbs(thumbs, figure, rows, info, selection);
  }

  arrays({ decoder }: DecoderResult): NamedArray[] {
    return decoder && this.#rows.length > 0 ? this.#screens!.arraysOf(this.#writing(decoder)) : [];
  }

  protected describe({ decoder }: DecoderResult): string {
    if (!decoder) return this.t('decoder.describe.empty');
    return this.#screens!.describeToken(this.#writing(decoder), decoder.info.name || this.#loader?.current.model?.name || '');
  }
}
