/** Two-hop: questions about invented persons that take two facts, one of which a model has not been told. */
import { countTokens } from '../../text/tokens.ts';
import { type DataFiles, type DataSet, noData } from '../data-set.ts';
import type { Environment, Grouping } from '../environment.ts';
import { baselines } from './baselines.ts';
import { catalogueOf, type RowCounts } from './catalogue.ts';
import { explain } from './causes.ts';
import { commentary } from './commentary.ts';
import { dataSet, rowCounts } from './data.ts';
import { describe } from './describe.ts';
import { makerOf } from './generate.ts';
import { guide } from './guide.ts';
import { GENERATOR_VERSION, type Instance, isCondition, placeOf } from './instance.ts';
import { metrics } from './metrics.ts';
import { observe, secrets } from './observation.ts';
import { optionFieldsFor } from './option-fields.ts';
import { type Options, parseOptions } from './options.ts';
import { panel } from './panel.ts';
import { parseInstance } from './parse-instance.ts';
import { policies } from './policies.ts';
import { reasons } from './reasons.ts';
import { record } from './record.ts';
import { splitsFor } from './splits.ts';
import { advance, next, outcome, type State, start } from './state.ts';
import { validate } from './validate.ts';
import { variables } from './variables.ts';
import { linksOf, viewInstance } from './view.ts';

type TwoHop = Environment<Instance, Options, State>;

const groupings: readonly Grouping<Instance>[] = [
  { id: 'domain', label: 'domain', of: ({ domain }) => domain },
  { id: 'relation', label: 'relation', of: ({ domain, relation }) => `${domain}/${relation}` },
];

/**
 * The environment over a data set of the published shape.
 *
 * @param set files named `DOMAIN/test/RELATION_CONDITION.jsonl` and `DOMAIN/train/first_hop.jsonl`.
 * @param rows how many rows each file of questions has.
 */
export function twoHopOver(set: DataSet, rows: RowCounts): TwoHop {
  const paths = set.files.map(({ path }) => path);
  const catalogue = catalogueOf(paths, rows);
  const fixed: Omit<TwoHop, 'data' | 'generate' | 'listing' | 'validate'> = {
    id: 'two-hop',
    title: 'Two-Hop',
    description:
      'Answer questions about invented persons that take two facts in a row, one of which a model knows only by training.',
    guide,
    generatorVersion: GENERATOR_VERSION,
    splits: splitsFor(catalogue),
    metrics,
    variables,
    policies,
    parseOptions: (raw) => parseOptions(raw, catalogue),
    parseInstance,
    minSteps: () => 1,
    start,
    observe,
    conversation: () => [],
    advance,
    next,
    outcome,
    sizeOf: (split, options) => (isCondition(split) ? catalogue.size(split, options) : 0),
    reasons,
    remark,
    optionFields: optionFieldsFor(catalogue),
    secrets,
    countTokens,
    groupings,
    records: record,
    baselines,
    describe,
    view: viewInstance,
    links: linksOf,
    locate(id) {
      const place = placeOf(id);
      const index = place === null ? null : catalogue.indexOf(place);
      return place === null || index === null ? null : { split: place.split, index, options: {} };
    },
    commentary,
    panel,
    explain,
  };
  const bind = (files: DataFiles): TwoHop => {
    const maker = makerOf(files, catalogue, rows);
    return {
      ...fixed,
      data: { set, bind },
      generate: (split, index, options) => maker.generate(split, index, options),
      listing: (split, index, options) => maker.listing(split, index, options),
      validate(instance) {
        const place = placeOf(instance.id);
        const published = place === null ? null : maker.at(place);
        return validate(instance, published?.ok ? published.value : null);
      },
    };
  };
  return bind(noData(set));
}

/** What a score means is the same for every instance. */
function remark({ split }: Instance): string {
  return split === 'nocot_shuffled'
    ? 'the answers are dealt out at random, so that only a model trained on them can be above the prior'
    : 'a model that was not trained on the facts about the persons can only guess: read its score beside the prior';
}

export const twoHop: TwoHop = twoHopOver(dataSet, rowCounts);
