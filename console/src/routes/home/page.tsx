import { today } from '../../parts/times.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { Recent } from './recent.tsx'
import { Running } from './running.tsx'
import { Waiting } from './waiting.tsx'
import { Week } from './week.tsx'

/** Shows what waits for a person, what is running, the week, and the latest events. */
export function HomePage() {
  const { can } = useScope()
  return (
    <Page name="Home" part={today()}>
      <div className={styles.columns}>
        <div>
          <Waiting />
          <Running />
          {can('organization:read') && <Week />}
        </div>
        {can('events:read') && (
          <aside aria-label="Recent">
            <Recent />
          </aside>
        )}
      </div>
    </Page>
  )
}
