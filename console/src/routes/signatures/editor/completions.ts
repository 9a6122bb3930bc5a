import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { TemplateName } from '../names.ts'
import { innerTags, liquidFilters, liquidTags } from './liquid-words.ts'

const blocks: ReadonlySet<string> = new Set(['capture', 'case', 'comment', 'for', 'if', 'raw', 'unless'])

/** Completes names, filters and tags inside of Liquid. */
export const completions = (names: () => readonly TemplateName[]): Extension =>
  autocompletion({ override: [(context) => complete(context, names())], icons: false, interactionDelay: 0 })

function complete(context: CompletionContext, names: readonly TemplateName[]): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 2_000), context.pos)
  const opened = /\{([{%])-?((?:(?!\}\}|%\})[\s\S])*)$/.exec(before)
  if (!opened) return null
  const [, kind, inside = ''] = opened
  const typed = /[\w.]*$/.exec(inside)?.[0] ?? ''
  const from = context.pos - typed.length
  const start = inside.slice(0, inside.length - typed.length)
  const close = closeOf(context, kind === '{' ? '}}' : '%}')
  if (/\|\s*$/.test(start)) return { from, options: optionsOf(liquidFilters), validFor: /^\w*$/ }
  if (kind === '%' && start.trim() === '')
    return {
      from,
      options: optionsOf({ ...liquidTags, ...innerTags }).map((option) => withEnd(option, close)),
      validFor: /^\w*$/,
    }
  const isFirst = start.trim() === ''
  if (typed === '' && !isFirst && !context.explicit) return null
  return { from, options: names.map((name) => nameOption(name, isFirst ? close : '')), validFor: /^[\w.]*$/ }
}

/** The end that an inserted word needs; empty if the rest of the line has one. */
function closeOf({ state, pos }: CompletionContext, end: string): string {
  const rest = state.sliceDoc(pos, state.doc.lineAt(pos).to)
  return /^[^{]*?(\}\}|%\})/.test(rest) ? '' : ` ${end}`
}

const nameOption = ({ name, value }: TemplateName, close: string): Completion => ({
  label: name,
  detail: value.length > 40 ? `${value.slice(0, 40)}…` : value,
  apply: (view, _completion, from, to) => {
    const space = /[{%-]$/.test(view.state.sliceDoc(from - 1, from)) ? ' ' : ''
    insert(view, from, to, `${space}${name}${close}`)
  },
})

/** A block gets its end, and the cursor stays in between. */
function withEnd(option: Completion, close: string): Completion {
  const { label } = option
  const end = blocks.has(label) && close !== '' ? `{% end${label} %}` : ''
  return {
    ...option,
    apply: (view, _completion, from, to) => {
      const space = /[%-]$/.test(view.state.sliceDoc(from - 1, from)) ? ' ' : ''
      const text = `${space}${label}${label === '#' || close === '' ? '' : ' '}`
      insert(view, from, to, text, `${close}${end}`)
    },
  }
}

/** Replaces a range, and puts the cursor between the two texts. */
function insert(view: EditorView, from: number, to: number, text: string, after = ''): void {
  view.dispatch({
    changes: { from, to, insert: text + after },
    selection: { anchor: from + text.length },
    userEvent: 'input.complete',
  })
}

const optionsOf = (words: Readonly<Record<string, string>>): Completion[] =>
  Object.entries(words).map(([label, detail]) => ({ label, detail }))
