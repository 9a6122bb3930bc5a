import type { ReactNode } from 'react'
import { Logo } from '../parts/icon.tsx'
import styles from './sign-in-frame.module.css'

/**
 * The narrow frame of pages that need no session. They show no organization's name, because strangers can see them.
 */
export const SignInFrame = ({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children?: ReactNode
}) => (
  <main className={styles.frame}>
    <div className={styles.column}>
      <div className="rail">
        <Logo />
        <span className="strong t14">Crosswalk</span>
      </div>
      <div className="stack g4">
        <h1 className="t26">{title}</h1>
        {about && <p className="two">{about}</p>}
      </div>
      {children}
    </div>
  </main>
)

export const OrDivider = () => <div className={styles.or}>or</div>
