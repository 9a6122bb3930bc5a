import { Loaded } from '../../parts/loaded.tsx'
import { today } from '../../parts/times.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import styles from './page.module.css'
import { Recent } from './recent.tsx'
import { RunningWork } from './running.tsx'
import { Waiting } from './waiting.tsx'
import { Week } from './week.tsx'

/** The first page: first steps, what waits for a person, running work, figures of the week, and the latest events. */
export function HomePage() {
  const { can, membership } = useScope()
  // Figures and events of the whole organization are for members who see all records.
  const seesAllRecords = membership.record_access === 'all'
  const steps = useFirstSteps()
  return (
    <Page name="Home" part={today()}>
      <div className={styles.columns}>
        <div>
          {steps.isLoading && (
            <div className="pad">
              <Loaded query={steps}>{() => null}</Loaded>
            </div>
          )}
          {/* Hidden while the steps load, which would push the rest down. */}
          <div hidden={steps.isLoading}>
            <FirstSteps />
            <Waiting />
            <RunningWork />
            {seesAllRecords && can('organization:read') && <Week />}
          </div>
        </div>
        {seesAllRecords && can('events:read') && (
          <aside aria-label="Recent">
            <Recent />
          </aside>
        )}
      </div>
    </Page>
  )
}
