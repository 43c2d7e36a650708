/** The options of two-hop, described for completion, hover and the documentation page. */
import type { OptionField } from '../option-fields.ts';
import type { Catalogue } from './catalogue.ts';
import { defaultWeights, mostPerFile, weightRange } from './options.ts';

const weightFields: readonly OptionField[] = Object.entries(defaultWeights).map(([key, weight]) => ({
  key,
  type: 'number',
  min: weightRange[0],
  max: weightRange[1],
  default: String(weight),
  example: key === 'answer_spam' ? '-0.1' : '0.5',
  description:
    key === 'answer_spam'
      ? 'What each other answer that is named is worth.'
      : `What ${key} is worth; where it does not apply it is worth nothing.`,
}));

/** The options for data that hold what `catalogue` lists. */
export function optionFieldsFor({ domains, relations }: Catalogue): readonly OptionField[] {
  return [
    {
      key: 'domains',
      scope: 'instance',
      type: 'texts',
      values: domains,
      default: 'all',
      example: domains.slice(0, 2).join(','),
      description: 'Domains to take questions from.',
    },
    {
      key: 'relations',
      scope: 'instance',
      type: 'texts',
      values: relations,
      default: 'all',
      example: relations.slice(0, 2).join(','),
      description: 'Relations to take questions from, whichever domain they are in.',
    },
    {
      key: 'max_per_file',
      scope: 'instance',
      type: 'integer',
      min: mostPerFile[0],
      max: mostPerFile[1],
      default: 'all',
      example: '5',
      description:
        'So many questions from the beginning of each file, which holds one relation of one domain.',
    },
    {
      key: 'weights',
      scope: 'episode',
      type: 'mapping',
      fields: weightFields,
      default: 'the published ones: correct alone counts',
      example: '{ "correct": 0, "strict_answer": 1 }',
      description:
        'The reward is the sum of the figures times these; those not given keep their published value.',
    },
  ];
}
