import type { Extension } from '@codemirror/state'
import { drawSelection, EditorView, lineNumbers } from '@codemirror/view'
import { liquidColors } from './liquid-colors.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text-1)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { font: '12px / 22px var(--mono)', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text-1)' },
  '.cm-cursor': { borderLeftColor: 'var(--text-1)' },
  '.cm-line': { padding: '0 16px 0 0' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '48px', paddingRight: '16px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
  '.cm-line.cw-warning, .cw-say.cw-warning': { backgroundColor: 'var(--warn-wash)' },
  '.cm-line.cw-error, .cw-say.cw-error': { backgroundColor: 'var(--danger-wash)' },
  '.cw-output': { color: 'var(--accent)' },
  '.cw-tag': { color: 'var(--warn)' },
  '.cw-comment': { color: 'var(--text-3)' },
  '.cw-word': { textDecoration: 'underline wavy var(--warn)', textUnderlineOffset: '3px' },
  '.cw-say': { font: 'var(--t12)', padding: '4px 16px 6px 0', whiteSpace: 'normal' },
  '.cw-say svg': { display: 'inline', verticalAlign: '-3px', marginRight: '6px' },
  '.cw-say button': {
    ...{ font: 'inherit', border: '0', padding: '0', background: 'none', cursor: 'pointer' },
    ...{ color: 'var(--accent)', textDecoration: 'underline', textUnderlineOffset: '2px' },
  },
  '.cw-say.cw-warning, .cw-say.cw-warning svg': { color: 'var(--warn)' },
  '.cw-say.cw-error, .cw-say.cw-error svg': { color: 'var(--danger)' },
  '.cm-tooltip': {
    ...{
      border: '0',
      borderRadius: 'var(--r2)',
      backgroundColor: 'var(--surface)',
      boxShadow: 'var(--lift)',
    },
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    ...{ display: 'flex', alignItems: 'baseline', gap: '16px', padding: '4px 12px' },
    color: 'var(--text-1)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--picked)', color: 'var(--text-1)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--strong)' },
  '.cm-completionDetail': {
    ...{ marginLeft: 'auto', fontStyle: 'normal', fontFamily: 'var(--sans)', color: 'var(--text-2)' },
  },
})

/** What every editor of a template has: Liquid in colors, line numbers, and the styles of the console. */
export const editorSetup = (label: string): Extension => [
  EditorView.cspNonce.of(nonce),
  EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
  EditorView.lineWrapping,
  lineNumbers(),
  drawSelection(),
  liquidColors,
  theme,
]
