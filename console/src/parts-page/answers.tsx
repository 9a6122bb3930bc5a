import { ApiError, ConnectionError } from '../../../sdk/src/errors.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { curl } from '../parts/curl.ts'
import { Empty } from '../parts/empty.tsx'
import { LostProgress } from '../parts/lost-progress.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { Section } from '../parts/section.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { showToast } from '../parts/toast.tsx'
import styles from './page.module.css'

const refused = (status: number, detail: string) =>
  new ApiError('GET /api/v1/contacts', {
    ...{ status, code: null, detail, body: null, problems: [] },
    headers: new Headers({ 'x-request-id': '01a1fe49-a370-7040-bfb4-6c917db78a2c' }),
  })

/** What a page shows if it has no data. */
export const Answers = () => (
  <>
    <Section title="Loading">
      <Skeleton />
    </Section>
    <Section title="Empty">
      <Empty icon="key" title="There is no API key yet">
        <p className="two">A program needs a key to read and write the records of this organization.</p>
        <Button>Create a key</Button>
        <Code label="A request with curl">{curl('/contacts?limit=3')}</Code>
      </Empty>
    </Section>
    <Section title="Failed">
      <div className={styles.form}>
        <LostProgress query={{ isError: true, isPaused: false }} name="import" />
        <ProblemView error={refused(403, 'your role (viewer) lacks api_keys:read')} />
        <ProblemView error={refused(404, 'no key has this id')} />
        <ProblemView error={refused(500, 'something broke')} onRetry={() => showToast('It is read again.')} />
        <ProblemView
          error={new ConnectionError('fetch failed')}
          onRetry={() => showToast('It is read again.')}
        />
      </div>
    </Section>
  </>
)
