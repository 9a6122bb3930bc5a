import { useState } from 'react'
import { useModal } from '../parts/use-modal.ts'
import styles from './command-menu.module.css'

/** What a person typed before the menu was there, and whether Enter came after it. */
export type Early = { text: string; isEntered: boolean }

/**
 * The field of the command menu, while the menu loads: it takes what a person types at once.
 * @param onType called with what the person typed, so that the menu can show it
 */
export function EarlySearch({ onType, onClose }: { onType: (early: Early) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const { ref } = useModal()
  return (
    <dialog ref={ref} className={styles.menu} aria-label="Search or act" onCancel={onClose}>
      <input
        className={styles.input}
        aria-label="Search"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onType({ text: event.target.value, isEntered: false })
        }}
        onKeyDown={(event) => event.key === 'Enter' && onType({ text, isEntered: true })}
      />
    </dialog>
  )
}
