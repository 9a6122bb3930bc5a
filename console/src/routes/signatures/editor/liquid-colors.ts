import type { Extension } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

const classes = { '{{': 'cw-output', '{%': 'cw-tag', '<!': 'cw-comment' } as const

const matches = new MatchDecorator({
  regexp: /\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$)|<!--.*?(?:-->|$)/g,
  decoration: ([found]) => Decoration.mark({ class: classes[found.slice(0, 2) as keyof typeof classes] }),
})

/**
 * Colors outputs, tags and comments in the visible lines. One that spans lines is colored in its first line only: a parser
 * of Liquid and HTML would be as large as the rest of the page.
 */
export const liquidColors: Extension = ViewPlugin.fromClass(
  class {
    shown: DecorationSet

    constructor(view: EditorView) {
      this.shown = matches.createDeco(view)
    }

    update(update: ViewUpdate): void {
      this.shown = matches.updateDeco(update, this.shown)
    }
  },
  { decorations: ({ shown }) => shown },
)
