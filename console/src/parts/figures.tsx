import styles from './figures.module.css'

export type Figure = { name: string; value: string; about?: string | null; isBad?: boolean }

/** A few figures side by side, with lines between them. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className={styles.figures}>
    {figures.map(({ name, value, about, isBad }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className={isBad ? 'bad' : undefined}>{value}</dd>
        {about && <dd className={styles.about}>{about}</dd>}
      </div>
    ))}
  </dl>
)
