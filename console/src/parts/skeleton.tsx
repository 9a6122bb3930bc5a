import styles from './skeleton.module.css'

const widths = ['60%', '45%', '70%', '52%', '64%']

/** Lines in place of text that is being loaded: five at most. */
export const Skeleton = ({ rows = widths.length }: { rows?: number }) => (
  <div className={`pad stack g24 ${styles.bones}`} role="status">
    <span className="sr">Loading</span>
    {widths.slice(0, rows).map((width) => (
      <span key={width} className={styles.bone} style={{ width }} />
    ))}
  </div>
)
