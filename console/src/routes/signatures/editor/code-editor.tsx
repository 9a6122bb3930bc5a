import { Compartment, EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type { TemplateName } from '../names.ts'
import { goToLine, problemLines, showProblems, type TemplateProblem } from './problems.ts'
import { editorSetup } from './setup.ts'

export type EditorHandle = {
  /** Inserts an output at the cursor, and offers the names. */
  offerNames: () => Promise<void>
  goToLine: (line: number) => void
}

const typingPart = new Compartment()

/** The editor of one part of a template. A value from outside replaces the text as an edit that can be undone. */
export function CodeEditor({
  label,
  value,
  onChange,
  problems,
  names,
  isReadOnly,
  handle,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  problems: readonly TemplateProblem[]
  names: readonly TemplateName[]
  isReadOnly: boolean
  handle: Ref<EditorHandle>
}) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const aids = useRef<Promise<typeof import('./typing.ts')> | null>(null)
  const latest = useRef({ onChange, names })
  useEffect(() => {
    latest.current = { onChange, names }
  })
  /** Loads the keys and completions, once. Before that, the browser's own keys work. */
  const loadTyping = (made: EditorView) => {
    aids.current ??= import('./typing.ts').then((loaded) => {
      made.dispatch({ effects: typingPart.reconfigure(loaded.typingExtension(() => latest.current.names)) })
      return loaded
    })
    return aids.current
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor is made once, and follows its value below
  useEffect(() => {
    const made = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: value,
        extensions: [
          editorSetup(label),
          EditorState.readOnly.of(isReadOnly),
          typingPart.of([]),
          EditorView.domEventHandlers({ focus: (_event, focused) => void loadTyping(focused) }),
          problemLines,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => {
      aids.current = null
      made.destroy()
    }
  }, [label, isReadOnly])
  useEffect(() => {
    const { current } = view
    const text = current?.state.doc.toString()
    if (current && text !== value)
      current.dispatch({ changes: { from: 0, to: text?.length ?? 0, insert: value } })
  }, [value])
  useEffect(() => {
    if (view.current) showProblems(view.current, problems)
  }, [problems])
  useImperativeHandle(handle, () => ({
    offerNames: async () => {
      const { current } = view
      if (current) (await loadTyping(current)).offerNames(current)
    },
    goToLine: (line) => view.current && goToLine(view.current, line),
  }))
  return <div ref={place} style={{ height: '100%', minHeight: 0 }} />
}
