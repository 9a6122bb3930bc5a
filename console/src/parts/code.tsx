import styles from './code.module.css'

/** Lines for a program or a terminal. Long lines scroll. */
export const Code = ({ children, label }: { children: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
  <section className={styles.code} tabIndex={0} aria-label={label}>
    <pre>{children}</pre>
  </section>
)
