/** A list of things to choose from: one stop of the Tab key, arrows within, Enter or Space to choose. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

export interface Option {
  readonly key: number;
  readonly content: TemplateResult | string;
  /** As a screen reader says it, where the content does not. */
  readonly label?: string;
  readonly style?: string;
  readonly title?: string;
}

export interface Listbox {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly style: string;
  readonly options: readonly Option[];
  /** Key of the option that the arrows have come to; it is the selected one, too. */
  readonly active: number | null;
  /** The same as it is now: keys can come faster than drawings. */
  now(): number | null;
  move(key: number): void;
  choose(key: number): void;
}

export function listbox(list: Listbox): TemplateResult {
  const { id, label, style, options, active } = list;
  const shown = options.some(({ key }) => key === active) ? active : null;
  return html`<div
    id=${id}
    class="listbox ${style}"
    role="listbox"
    tabindex="0"
    aria-label=${label}
    aria-activedescendant=${shown === null ? nothing : `${id}-${shown}`}
    @keydown=${(event: KeyboardEvent) => press(event, list)}
    @click=${(event: Event) => {
      const key = keyAt(event);
      if (key !== null) list.choose(key);
    }}
  >
    ${repeat(
      options,
      ({ key }) => key,
      ({ key, content, label: said, style: look = '', title }) => html`<div
        id="${id}-${key}"
        class="option ${look} ${key === shown ? 'active' : ''}"
        role="option"
        aria-selected=${key === shown ? 'true' : 'false'}
        aria-label=${said ?? nothing}
        title=${title ?? nothing}
        data-key=${key}
      >${content}</div>`,
    )}
  </div>`;
}

function keyAt({ target }: Event): number | null {
  const key = target instanceof Element ? target.closest('[data-key]')?.getAttribute('data-key') : null;
  return key ? Number(key) : null;
}

function press(event: KeyboardEvent, list: Listbox): void {
  const { options } = list;
  const active = list.now();
  const at = options.findIndex(({ key }) => key === active);
  const to = target(event, options.length, at);
  if (to === 'choose') {
    if (active !== null && at >= 0) list.choose(active);
  } else {
    const option = to === null ? undefined : options[Math.min(Math.max(to, 0), options.length - 1)];
    if (option === undefined) return;
    list.move(option.key);
    document.getElementById(`${list.id}-${option.key}`)?.scrollIntoView({ block: 'nearest' });
  }
  event.preventDefault();
}

/** The position that a key leads to; null for keys that are somebody else's. */
function target({ key, currentTarget }: KeyboardEvent, length: number, at: number): number | 'choose' | null {
  switch (key) {
    case 'ArrowRight':
      return at + 1;
    case 'ArrowLeft':
      return at < 0 ? length - 1 : at - 1;
    case 'ArrowDown':
      return at < 0 ? 0 : rowStep(currentTarget, at, 1);
    case 'ArrowUp':
      return at < 0 ? length - 1 : rowStep(currentTarget, at, -1);
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    case 'Enter':
    case ' ':
      return 'choose';
    default:
      return null;
  }
}

/** The option above or below the one at `at`, where options stand in rows. */
function rowStep(list: EventTarget | null, at: number, direction: 1 | -1): number {
  const found = list instanceof Element ? [...list.querySelectorAll('[role=option]')] : [];
  const here = found[at]?.getBoundingClientRect();
  if (!here) return at + direction;
  let best = -1;
  let bestGap = Number.POSITIVE_INFINITY;
  let row: number | undefined;
  for (let next = at + direction; next >= 0 && next < found.length; next += direction) {
    const box = found[next]?.getBoundingClientRect();
    if (!box || Math.abs(box.top - here.top) < 2) continue;
    row ??= box.top;
    if (Math.abs(box.top - row) > 2) break;
    const gap = Math.abs(box.left - here.left);
    if (gap < bestGap) [best, bestGap] = [next, gap];
  }
  return best < 0 ? at : best;
}
