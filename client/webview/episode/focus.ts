/** Finds the focus another place when what has it goes or is disabled, so that nobody at the keyboard starts over. */

/** What has the focus, and the part of the page that it is in. */
export interface Focused {
  readonly element: Element;
  readonly card: Element | null;
}

/** The button that set going what is under way, by its name: the focus returns to it. */
let begun = '';

/** What has the focus before the page is drawn; null when it is elsewhere. */
export function findFocus(): Focused | null {
  const element = document.activeElement;
  if (!element || element === document.body || !document.hasFocus()) return null;
  return { element, card: element.closest('.card') };
}

/** Gives the focus another place after the page was drawn, where it had to leave. */
export function moveFocus(focused: Focused | null): void {
  if (!focused || isUsable(focused.element)) return;
  const { element, card } = focused;
  const buttons = [...document.querySelectorAll('.controls vscode-button, .controls .tool')].filter(isUsable);
  const named = (name: string) => buttons.find((button) => nameOf(button) === name);
  const wasCancel = nameOf(element) === 'Cancel';
  const cancel = named('Cancel');
  if (cancel && !wasCancel) begun = nameOf(element);
  const near = card?.isConnected ? (card.querySelector('textarea') ?? card.querySelector('.fold')) : null;
  const target = cancel ?? (wasCancel ? named(begun) : near) ?? buttons[0];
  if (!(target instanceof HTMLElement)) return;
  // A button of the library takes the focus only when it has drawn itself.
  void Promise.resolve(Reflect.get(target, 'updateComplete')).then(() => target.focus());
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches('[disabled]');
}

function nameOf(element: Element): string {
  return element.textContent?.trim() ?? '';
}
