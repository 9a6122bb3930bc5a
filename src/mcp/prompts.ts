import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '../platform/caller.ts'
import { toolsFor } from './catalog.ts'

type Argument = { name: string; description: string; required: boolean }

export type Prompt = {
  name: string
  title: string
  description: string
  arguments: readonly Argument[]
  /** The tools that the text names. The prompt is listed if the caller has all of them. */
  tools: readonly string[]
  /** The request of the person to the model. `given` has the arguments as JSON strings. */
  text(given: Readonly<Record<string, string | undefined>>): string
}

/** Ready-made requests, which hosts show to people as commands. */
export const prompts: readonly Prompt[] = [
  {
    name: 'clean_up_duplicates',
    title: 'Clean up duplicates',
    description: 'Goes through the proposed merges with you, the most certain ones first.',
    arguments: [
      { name: 'entity_type', description: 'contact, company or deal. Without it: all.', required: false },
    ],
    tools: ['list_merges', 'decide_duplicate', 'undo_merge'],
    text: ({ entity_type }) =>
      `Help me to clean up duplicates in Crosswalk${entity_type ? `, only of the type ${entity_type}` : ''}. ` +
      'List the proposed merges with list_merges, the highest scores first, ten at a time. ' +
      'Show each pair as a short table of the fields that differ, with your opinion and the reason. ' +
      'Wait for my answer to each pair before you call decide_duplicate. ' +
      'If I change my mind, undo the merge with undo_merge. ' +
      'At the end, say how many pairs were merged, how many are different, and how many are left.',
  },
  {
    name: 'prepare_a_call',
    title: 'Prepare a call',
    description: 'Collects on one page what you need to know before you call a person.',
    arguments: [
      { name: 'contact', description: 'The name, e-mail address or number of the person.', required: true },
    ],
    tools: ['search', 'get_record', 'list_calls'],
    text: ({ contact }) =>
      `Prepare my call with ${contact}. Find the contact with search; if several fit, ask me which one. ` +
      'Read it with get_record, including deals, merges and events, and earlier calls with list_calls. ' +
      'Then write one page: who the person is, the open deals and their stages, what was said in the last calls, ' +
      'whether their consent allows a call, and three questions that I could ask. Do not place a call.',
  },
  {
    name: 'review_pipeline',
    title: 'Review the pipeline',
    description: 'Sums up the deals by stage and month, and names the deals that need attention.',
    arguments: [
      {
        name: 'from',
        description: 'The first month, as YYYY-MM. Without it: three months ago.',
        required: false,
      },
      {
        name: 'to',
        description: 'The last month, as YYYY-MM. Without it: the current month.',
        required: false,
      },
    ],
    tools: ['summarize_deals', 'list_records', 'list_events'],
    text: ({ from, to }) =>
      `Review our pipeline from ${from ?? 'three months ago'} to ${to ?? 'the present month'}. ` +
      'Use summarize_deals for the sums by stage and month, and list_records for the open deals. ' +
      'Name the deals whose last change in list_events is older than 30 days, and the largest ones. ' +
      'Compare won and lost by close reason. Answer with one table and at most five sentences. Change nothing.',
  },
]

/** The prompts whose tools this caller has, as the protocol lists them. */
export function listedPrompts({ permissions }: Caller) {
  const available = new Set(toolsFor(permissions).map(({ name }) => name))
  return prompts
    .filter(({ tools }) => tools.every((tool) => available.has(tool)))
    .map(({ tools, text, ...listed }) => ({ ...listed, arguments: [...listed.arguments] }))
}

/**
 * The messages of a prompt. Arguments become JSON strings in the text, so that a model sees where each one ends.
 * @throws ProtocolError for an unknown prompt, an unknown argument, or a missing one
 */
export function promptMessages(name: string, sent: Readonly<Record<string, string>> = {}) {
  const prompt = prompts.find((each) => each.name === name)
  if (!prompt) throw wrong(`There is no prompt ${name}. Prompts are ${list(prompts)}`)
  const unknown = Object.keys(sent).find((each) => !prompt.arguments.some((known) => known.name === each))
  if (unknown !== undefined)
    throw wrong(`${name} has no argument ${unknown}. Its arguments are ${list(prompt.arguments)}`)
  const missing = prompt.arguments.find((each) => each.required && !sent[each.name]?.trim())
  if (missing) throw wrong(`${name} needs the argument ${missing.name}: ${missing.description}`)
  const given = Object.fromEntries(
    Object.entries(sent)
      .filter(([, value]) => value.trim() !== '')
      .map(([key, value]) => [key, JSON.stringify(value)]),
  )
  const text = prompt.text(given)
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}

const wrong = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
const list = (named: readonly { name: string }[]) => named.map(({ name }) => name).join(', ')
