import { useState } from 'react'
import { useModal } from '../parts/use-modal.ts'
import styles from './command-menu.module.css'

/**
 * The field of the command menu, while the menu loads: it takes what a person types at once.
 * @param onType called with the typed text, which the menu then has
 */
export function EarlySearch({ onType, onClose }: { onType: (text: string) => void; onClose: () => void }) {
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
          onType(event.target.value)
        }}
      />
    </dialog>
  )
}
