import { useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'
import { useUppermost } from './use-modal.ts'

type ToastAct = { name: string; run: () => unknown }
type Toast = {
  id: number
  text: string
  kind: 'ok' | 'bad'
  act: ToastAct | undefined
  about: string | undefined
}

const shownMs = 6_000
const shownWithActMs = 12_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const drop = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/**
 * Shows a message in a corner. An error stays until it is closed. Returns a function that closes it.
 * @param act a button beside the message, such as Undo
 * @param about the id of what the message is about. A later message with the same id replaces it, so that an outdated Undo
 * disappears.
 */
export function showToast(
  text: string,
  kind: 'ok' | 'bad' = 'ok',
  act?: ToastAct,
  about?: string,
): () => void {
  const id = ++lastId
  const others = toasts.filter((toast) => about === undefined || toast.about !== about)
  change([...others.slice(-2), { id, text, kind, act, about }])
  if (kind === 'ok') setTimeout(drop, act ? shownWithActMs : shownMs, id)
  return () => drop(id)
}

/**
 * The region for toasts. The page and each dialog have one of their own: an open dialog covers the page, and makes it
 * inert. The regions always exist, so that screen readers read what is added to them.
 * @param over the dialog that has the region; null: the page
 */
export function Toasts({ over = null }: { over?: string | null }) {
  const isUppermost = useUppermost() === over
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className={styles.shelf} role="status" aria-live="polite">
      {(isUppermost ? shown : []).map(({ id, text, kind, act }) => (
        <div key={id} className={styles.toast}>
          <Icon name={kind === 'ok' ? 'done' : 'alert'} />
          <span className="grow">{text}</span>
          {act && (
            <Button
              onClick={() => {
                drop(id)
                act.run()
              }}
            >
              {act.name}
            </Button>
          )}
          <Button kind="quiet" icon="close" aria-label="Close" onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}
