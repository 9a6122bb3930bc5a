import { count } from '../../parts/numbers.ts'
import styles from './page.module.css'

/** The title of a section, with the number of its items. */
export const SectionHead = ({ title, number = 0 }: { title: string; number?: number }) => (
  <div className={styles.head}>
    <h2 className="t16">{title}</h2>
    {number > 0 && <span className="three t16">{count(number)}</span>}
  </div>
)
