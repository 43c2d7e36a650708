/** What people write about an episode. */
import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Actions } from './actions.ts';
import type { Model } from './model.ts';

export function noteView({ note, task }: Model, actions: Actions): unknown {
  const known = note ?? { text: '', tags: [] };
  const isEmpty = known.text === '' && known.tags.length === 0;
  const save = (event: Event) => {
    event.preventDefault();
    const typed = event.target instanceof HTMLFormElement ? new FormData(event.target) : new FormData();
    const tags = String(typed.get('tags') ?? '').split(',');
    actions.annotate({ text: String(typed.get('text') ?? ''), tags });
  };
  // What is being typed stays until another episode is looked at, or another note comes.
  const form = html`<details class="noted" ?open=${!isEmpty}>
    <summary>${isEmpty ? 'Add a note' : 'Note'}</summary>
    <form @submit=${save}>
      <label>
        <span class="sub">Note</span>
        <textarea class="input" name="text" rows="2" maxlength="20000" .value=${known.text}></textarea>
      </label>
      <label>
        <span class="sub">Tags, with commas between them</span>
        <input class="input" name="tags" .value=${known.tags.join(', ')} />
      </label>
      <button type="submit" class="button secondary">Save note</button>
    </form>
  </details>`;
  return keyed(task, form);
}
