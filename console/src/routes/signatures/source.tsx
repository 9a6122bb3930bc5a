import { useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Segments, TextField } from '../../parts/field.tsx'
import { CodeEditor, type EditorHandle } from './editor/code-editor.tsx'
import type { TemplateName } from './names.ts'
import { ProblemList } from './problem-list.tsx'
import styles from './source.module.css'
import type { useDraft } from './use-draft.ts'
import type { PartProblem } from './use-preview.ts'

type Part = 'html' | 'text'

const parts = [
  ['html', 'HTML'],
  ['text', 'Plain text'],
] as const

const labels = { html: 'HTML of the template', text: 'Plain text of the template' }

/** The name of a template, and the editors of its two parts. */
export function Source({
  edit: { draft, change },
  problems,
  names,
  derived,
  isReadOnly,
}: {
  edit: Pick<ReturnType<typeof useDraft>, 'draft' | 'change'>
  problems: readonly PartProblem[]
  names: readonly TemplateName[]
  /** The plain text that is derived from the HTML. */
  derived: string
  isReadOnly: boolean
}) {
  const [part, setPart] = useState<Part>('html')
  const editors = { html: useRef<EditorHandle>(null), text: useRef<EditorHandle>(null) }
  const go = (problem: PartProblem) => {
    const target = problem.part ?? 'html'
    setPart(target)
    // After the other editor is shown: a hidden one does not scroll.
    requestAnimationFrame(() => editors[target].current?.goToLine(problem.line ?? 1))
  }
  const isDerived = part === 'text' && draft.text === null
  return (
    <section className={styles.source} aria-label="Template">
      <div className={styles.bar}>
        <Segments label="Part" isLabelHidden value={part} options={parts} onChange={setPart} />
        <span className="rail end">
          {part === 'text' && draft.text !== null && !isReadOnly && (
            <Button kind="quiet" onClick={() => change({ text: null })}>
              Derive from the HTML
            </Button>
          )}
          {!isDerived && !isReadOnly && (
            <Button kind="quiet" icon="plus" onClick={() => void editors[part].current?.offerNames()}>
              Insert a field
            </Button>
          )}
        </span>
      </div>
      <div className={styles.name}>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => change({ name })}
          maxLength={120}
          disabled={isReadOnly}
        />
      </div>
      {(['html', 'text'] as const).map((one) => (
        <div key={one} className={styles.editor} hidden={part !== one}>
          {one === 'text' && draft.text === null ? (
            <Derived text={derived} onOwn={isReadOnly ? null : () => change({ text: derived })} />
          ) : (
            <CodeEditor
              label={labels[one]}
              value={draft[one] ?? ''}
              onChange={(value) => change({ [one]: value })}
              problems={problemsOf(problems, one)}
              names={names}
              isReadOnly={isReadOnly}
              handle={editors[one]}
            />
          )}
        </div>
      ))}
      <ProblemList problems={problems} onOpen={go} />
    </section>
  )
}

/** The problems of a part that have a line. */
function problemsOf(problems: readonly PartProblem[], part: Part): readonly PartProblem[] {
  return problems.filter((problem) => problem.part === part && problem.line !== null)
}

const Derived = ({ text, onOwn }: { text: string; onOwn: (() => void) | null }) => (
  <div className={styles.derived}>
    <p className="two">The plain text is derived from the HTML. It is for mail programs that show no HTML.</p>
    <pre>{text}</pre>
    {onOwn && <Button onClick={onOwn}>Write a plain text</Button>}
  </div>
)
