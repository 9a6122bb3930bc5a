import { startCompletion } from '@codemirror/autocomplete'
import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import type { Extension } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import type { TemplateName } from '../names.ts'
import { completions } from './completions.ts'

// What a person needs only while they type. The page loads this file when the editor gets the focus.

/** The keys of an editor, undo and redo, and the completion of names, filters and tags. Tab leaves the editor. */
export const typingExtension = (names: () => readonly TemplateName[]): Extension => [
  history(),
  keymap.of([...standardKeymap, ...historyKeymap]),
  completions(names),
]

/** Inserts an output at the cursor, and offers the names. */
export function offerNames(view: EditorView): void {
  const { from, to } = view.state.selection.main
  view.dispatch({
    changes: { from, to, insert: '{{  }}' },
    selection: { anchor: from + 3 },
    userEvent: 'input',
  })
  view.focus()
  startCompletion(view)
}
