const usable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** Where a control is, so that the focus finds a control near it after it disappeared. */
export type Place = {
  control: HTMLElement
  /** Its position among the controls of its row. */
  index: number
  /** Its row and the other rows of its table or list, the next ones first. */
  rows: readonly Element[]
  /** What contains it and the controls beside it, outside of a row; null: it is in a row. */
  group: Element | null
}

export function placeOf(control: HTMLElement): Place {
  const row = control.closest('tr, li')
  if (!row) {
    const group = control.matches('body, main') ? null : control.parentElement
    return { control, index: group ? controlsIn(group).indexOf(control) : 0, rows: [], group }
  }
  const all = [...(row.parentElement?.children ?? [])]
  const at = all.indexOf(row)
  return {
    control,
    index: Math.max(0, controlsIn(row).indexOf(control)),
    rows: [...all.slice(at), ...all.slice(0, at).reverse()],
    group: null,
  }
}

let opener: HTMLElement | null = null

/** Records the button of a menu whose item was chosen. The item disappears, and may open a dialog. */
export function noteOpener(button: HTMLElement | null): void {
  opener = button
}

/** The control from which a dialog opens: what has the focus, or the button of the menu that just closed. */
export function takeOpener(): HTMLElement {
  const { activeElement } = document
  const button = opener
  opener = null
  if (activeElement instanceof HTMLElement && activeElement !== document.body) {
    if (!activeElement.closest('[role=menu]')) return activeElement
  }
  return button ?? document.body
}

const controlsIn = (parent: Element) => [...parent.querySelectorAll<HTMLElement>(usable)]

/**
 * Gives the focus to a control near one that disappeared or is disabled. In rows, it is the same control of the next row, or
 * else of the previous row. Outside of rows, it is the previous control, or else the next one. If there is none, it is the first
 * control of the dialog, the list, or the page.
 */
export function focusNear({ control, index, rows, group }: Place): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1)
  const near = rows.flatMap((row) => {
    if (!row.isConnected || (dialog && !dialog.contains(row))) return []
    const all = controlsIn(row)
    const same = all.find(({ textContent }) => textContent !== '' && textContent === control.textContent)
    return same ?? all[Math.min(index, all.length - 1)] ?? []
  })
  if (group?.isConnected && !dialog) {
    const beside = controlsIn(group)
    near.push(...beside.slice(0, index).reverse(), ...beside.slice(Math.max(0, index)))
  }
  if (dialog) near.push(...dialog.querySelectorAll<HTMLElement>('[data-autofocus]'), ...controlsIn(dialog))
  if (near.some(takesFocus) || dialog) return
  const main = document.querySelector('main')
  const page = main?.querySelector<HTMLElement>('[role=grid]') ?? main
  page?.focus({ preventScroll: true })
}

function takesFocus(control: HTMLElement): boolean {
  control.focus()
  return document.activeElement === control
}

const isLost = (control: HTMLElement) => !control.isConnected || control.matches(':disabled')

/**
 * Keeps the focus in the page. The browser gives it to nobody when the control that has it disappears or is disabled.
 * Returns a function that ends this.
 */
export function keepFocus(): () => void {
  let last: Place | null = null
  const onFocus = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement && target !== document.body ? placeOf(target) : null
  }
  const onBlur = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      // A person clicked beside the control. Another window that has the focus changes nothing.
      if (last?.control === target && !isLost(last.control) && document.activeElement !== target) last = null
    })
  const observer = new MutationObserver(() => {
    if (last === null || !isLost(last.control)) return
    const lost = last
    last = null
    // What disappeared, or a menu that closes, may give the focus back by itself.
    requestAnimationFrame(() => {
      const { activeElement } = document
      if (activeElement === null || activeElement === document.body || activeElement === lost.control)
        focusNear(lost)
    })
  })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    observer.disconnect()
  }
}
