import { type EditorState, type Extension, type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'

/** Something to fix in a line of the template. */
export type TemplateProblem = {
  kind: 'error' | 'warning'
  /** From 1. null: it concerns the whole template. */
  line: number | null
  text: string
  /** A word of the line, and the word that was probably meant. */
  fix: { word: string; by: string } | null
}

const setProblems = StateEffect.define<readonly TemplateProblem[]>()

export const showProblems = (view: EditorView, problems: readonly TemplateProblem[]): void =>
  view.dispatch({ effects: setProblems.of(problems) })

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const effect = transaction.effects.find((one) => one.is(setProblems))
    return effect ? decorationsOf(transaction.state, effect.value) : shown.map(transaction.changes)
  },
  provide: (self) => EditorView.decorations.from(self),
})

/** Shows the problems below their lines, each with a button that repairs it if the right word is known. */
export const problemLines: Extension = field

function decorationsOf({ doc }: EditorState, problems: readonly TemplateProblem[]): DecorationSet {
  const ranges: Range<Decoration>[] = []
  for (const problem of problems) {
    if (problem.line === null || problem.line > doc.lines) continue
    const line = doc.line(problem.line)
    ranges.push(Decoration.line({ class: `cw-${problem.kind}` }).range(line.from))
    const at = problem.fix ? line.text.indexOf(problem.fix.word) : -1
    if (problem.fix && at >= 0)
      ranges.push(
        Decoration.mark({ class: 'cw-word' }).range(line.from + at, line.from + at + problem.fix.word.length),
      )
    ranges.push(
      Decoration.widget({ widget: new ProblemWidget(problem), block: true, side: 1 }).range(line.to),
    )
  }
  return Decoration.set(ranges, true)
}

class ProblemWidget extends WidgetType {
  readonly problem: TemplateProblem

  constructor(problem: TemplateProblem) {
    super()
    this.problem = problem
  }

  override eq({ problem: { kind, text, fix } }: ProblemWidget): boolean {
    return kind === this.problem.kind && text === this.problem.text && fix?.by === this.problem.fix?.by
  }

  override toDOM(view: EditorView): HTMLElement {
    const { kind, text, fix } = this.problem
    const line = document.createElement('div')
    line.className = `cw-say cw-${kind}`
    line.append(triangle(), text)
    if (fix) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = fix.by
      button.addEventListener('click', () => repair(view, line, fix))
      line.append(' Did you mean ', button, '?')
    }
    return line
  }

  override ignoreEvent(): boolean {
    return true
  }
}

/** Replaces the word in the line above the button. */
function repair(view: EditorView, widget: HTMLElement, { word, by }: { word: string; by: string }): void {
  const line = view.state.doc.lineAt(view.posAtDOM(widget))
  const at = line.text.indexOf(word)
  if (at < 0) return
  const from = line.from + at
  view.dispatch({
    changes: { from, to: from + word.length, insert: by },
    selection: { anchor: from + by.length },
    userEvent: 'input.repair',
  })
  view.focus()
}

function triangle(): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(space, 'svg')
  const path = document.createElementNS(space, 'path')
  for (const [name, value] of Object.entries({
    ...{ width: '14', height: '14', viewBox: '0 0 16 16', fill: 'none', stroke: 'currentColor' },
    ...{ 'stroke-width': '1.5', 'aria-hidden': 'true' },
  }))
    icon.setAttribute(name, value)
  path.setAttribute('d', 'M8 2.2 14.5 13.5h-13zM8 6.5v3M8 11.6h.01')
  icon.append(path)
  return icon
}

/** Moves the cursor to the start of a line, and shows it. */
export function goToLine(view: EditorView, number: number): void {
  const line = view.state.doc.line(Math.min(number, view.state.doc.lines))
  view.dispatch({
    selection: { anchor: line.from },
    effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
  })
  view.focus()
}
