/** The options of evals of streams: of which methods, on which streams. */
import { type Command, Option } from 'commander';
import { indexList, nameList } from '../arguments.ts';

export interface StreamChoice {
  /** Shipped methods by name, others by the path of their file. */
  readonly method?: readonly string[];
  readonly stream?: readonly string[];
  readonly size?: string;
  readonly windows?: readonly number[];
  readonly judgeModel?: string;
  readonly leaderboard?: boolean;
  /** True for where data are otherwise. */
  readonly published?: string | true;
  /** True where rows are to be had in files alone. */
  readonly brief?: boolean;
}

/** Adds them. */
export function withStreams(command: Command): Command {
  return command
    .option(
      '--method <names>',
      'play streams with a learning method, or several separated by commas: its name, or the path of a file with one',
      nameList,
    )
    .addOption(
      new Option('--stream <names>', 'stream, or several separated by commas')
        .argParser(nameList)
        .conflicts('size'),
    )
    .option('--size <name>', 'all streams of that size, e.g. mini (the default) or full')
    .addOption(new Option('--windows <list>', 'windows of each stream, e.g. 0,1').argParser(indexList))
    .option(
      '--judge-model <name>',
      'a model at the same endpoint that judges what phrases would judge otherwise',
    )
    .option(
      '--published [folder]',
      'play the published tasks, whose files lie in that folder, or where "data fetch" put them',
    )
    .option('--leaderboard', 'show published results below')
    .option('--brief', 'with --json: leave out the rows of episodes, which files have');
}
