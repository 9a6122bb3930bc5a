import { CopyButton } from './copy.tsx'
import styles from './secret.module.css'

/** A secret with a button that copies it. The browser stores it nowhere. */
export const Secret = ({ label, value }: { label: string; value: string }) => (
  <div className="stack g4">
    <span className="t12 two">{label}</span>
    <div className={styles.secret}>
      <code>{value}</code>
      <CopyButton text={value} kind="main" />
    </div>
  </div>
)
