import styles from './progress.module.css'

/**
 * A ticked scale that fills as work is done.
 * @param done from 0 to 1
 */
export const Progress = ({ label, done }: { label: string; done: number }) => (
  <div
    className={styles.ruler}
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(done * 100)}
    style={{ '--value': done * 100 } as object}
  >
    <i />
  </div>
)
