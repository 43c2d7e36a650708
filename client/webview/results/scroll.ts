/** Which rows of a long table are in sight, and getting others there. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { Sight } from './table.ts';

/** Below this width, in CSS pixels, a row has two lines and no columns. */
const narrowWidth = 560;
const heights = { row: 26, narrowRow: 46, head: 28 } as const;
/** Rows that are on the page beyond those in sight. */
const overscan = 15;

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;

export class Scroll {
  readonly #changed: () => void;
  #element: HTMLElement | null = null;
  #count = 0;
  #isNarrow = false;
  /** The row that was brought into sight last. */
  #shown = -1;
  /** A row to be brought into sight when all have their new height. */
  #anchor: number | null = null;
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  readonly #resized: ResizeObserver;

  /** @param changed called when other rows came into sight */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.#virtualizer = new Virtualizer(this.#options());
    this.#virtualizer._didMount();
    this.#resized = new ResizeObserver(() => {
      const element = this.#element;
      if (element === null) return;
      const isNarrow = element.clientWidth < narrowWidth;
      if (isNarrow === this.#isNarrow) return;
      // Rows get another height: what was in sight is to stay so.
      const first = Math.ceil(element.scrollTop / this.#rowHeight);
      const isShownInSight = this.#shown >= first && this.#shown <= first + this.pageSize + 1;
      this.#anchor = isShownInSight ? this.#shown : first;
      this.#isNarrow = isNarrow;
      this.#update();
      this.#virtualizer.measure();
      this.#changed();
    });
  }

  /** What is in sight of that many rows. */
  sight(count: number): Sight {
    if (count !== this.#count) {
      this.#count = count;
      this.#update();
    }
    return {
      rows: this.#virtualizer.getVirtualItems().map(({ index, start }) => ({
        at: index,
        top: start - heights.head,
      })),
      height: count * this.#rowHeight,
      rowHeight: this.#rowHeight,
      isNarrow: this.#isNarrow,
      scroller: this.#attach,
    };
  }

  /** Call after every rendering: the table may have come or gone. */
  rendered(): void {
    this.#virtualizer._willUpdate();
    if (this.#anchor === null) return;
    const at = this.#anchor;
    this.#anchor = null;
    this.#virtualizer.scrollToIndex(at, { align: at === this.#shown ? 'auto' : 'start' });
  }

  /** Brings a row into sight. */
  show(at: number): void {
    this.#shown = at;
    if (at < this.#count) this.#virtualizer.scrollToIndex(at, { align: 'auto' });
  }

  /** Rows that fit into sight. */
  get pageSize(): number {
    const height = (this.#element?.clientHeight ?? 0) - heights.head;
    return Math.max(1, Math.floor(height / this.#rowHeight) - 1);
  }

  get #rowHeight(): number {
    return this.#isNarrow ? heights.narrowRow : heights.row;
  }

  readonly #attach = (element: Element | undefined): void => {
    const found = element instanceof HTMLElement ? element : null;
    if (found === this.#element) return;
    this.#resized.disconnect();
    this.#element = found;
    if (found !== null) this.#resized.observe(found);
  };

  #update(): void {
    this.#virtualizer.setOptions(this.#options());
  }

  #options(): Options {
    return {
      count: this.#count,
      getScrollElement: () => this.#element,
      estimateSize: () => this.#rowHeight,
      overscan,
      scrollMargin: heights.head,
      scrollPaddingStart: heights.head,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.#changed(),
    };
  }
}
