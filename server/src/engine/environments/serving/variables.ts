/** The names that step prompts may use. */
import type { Variable } from '../variables.ts';

export const variables: readonly Variable[] = [
  {
    name: 'identity',
    type: 'text',
    description: 'Who the agent is and for whom it works.',
    example: 'You serve customers of a mail order shop.',
  },
  {
    name: 'documents_text',
    type: 'text',
    description: 'The documents that can be read, a line each; empty where there are none.',
    example: '- returns: Returns and refunds (windows, fee, refunds)',
  },
  { name: 'has_documents', type: 'boolean', description: 'Whether there are documents.', example: 'true' },
  {
    name: 'tools',
    type: 'list',
    description: 'The tools. They go to the model in any case; a prompt may list them as well.',
    example: 'get_order_details, finish',
    items: [
      { name: 'name', type: 'text', description: 'Its name.', example: 'get_order_details' },
      {
        name: 'signature',
        type: 'text',
        description: 'Its name and parameters, optional ones in brackets.',
        example: 'read_docs(doc, [section])',
      },
      { name: 'description', type: 'text', description: 'What it does.', example: 'Shows an order.' },
    ],
  },
  {
    name: 'rules_text',
    type: 'text',
    description: 'The rules of the protocol: one call a reply, the limits, finish.',
    example: 'Each reply makes exactly one tool call.',
  },
  { name: 'tool_calls', type: 'number', description: 'Tool calls of an episode.', example: '50' },
  { name: 'turns', type: 'number', description: 'Replies of an episode.', example: '100' },
  {
    name: 'method_context',
    type: 'text',
    description: 'What the learning method tells the agent; empty when it tells nothing.',
    example: 'Notes from earlier tasks: …',
  },
  {
    name: 'has_method_context',
    type: 'boolean',
    description: 'Whether the method tells anything.',
    example: 'true',
  },
  { name: 'timestamp', type: 'number', description: 'Position in the stream, from 1.', example: '80' },
  {
    name: 'task',
    type: 'text',
    description: 'The task without its timestamp.',
    example: 'Please decide on limit case LIM-204518.',
    required: true,
    alternatives: ['task_text'],
  },
  {
    name: 'task_text',
    type: 'text',
    description: 'The task with its timestamp before it.',
    example: 'Current timestamp: 80 …',
  },
  { name: 'domain', type: 'text', description: 'retail, banking or pitch.', example: 'retail' },
  {
    name: 'bulletin',
    type: 'text',
    description: 'The rules that hold and that no document tells.',
    example: 'Electronics are not exchanged: service_not_offered.',
    privileged: true,
  },
];
