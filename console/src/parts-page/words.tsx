import { Code } from '../parts/code.tsx'
import { curl } from '../parts/curl.ts'
import { Initials } from '../parts/initials.tsx'
import { Note } from '../parts/note.tsx'
import { Progress } from '../parts/progress.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Tag } from '../parts/tag.tsx'
import { ExpiryTime, Time } from '../parts/time.tsx'
import { now } from '../parts/times.ts'

const day = 86_400
const names = ['Nina Park', 'Ada Lovelace', 'Grace Hopper', 'Lin Chen', 'Eve Moreau', 'Omar']

/** Statuses, notes, times, and texts to copy. */
export const Words = () => (
  <Section title="Words" about="A status is a shape and a word. Stripes mean test mode.">
    <SectionBody>
      <div className="stack g16">
        <div className="rail wrap g16">
          <State kind="ok">ready</State>
          <State kind="run">being filled</State>
          <State kind="warn">failed</State>
          <State kind="bad">given up</State>
          <State kind="off">off</State>
          <Tag>agency</Tag>
          <Tag kind="test">test</Tag>
        </div>
        <div className="rail wrap">
          {names.map((name) => (
            <span key={name} className="rail">
              <Initials name={name} />
              {name}
            </span>
          ))}
        </div>
        <p>
          Made <Time at={now() - 12} />, used <Time at={null} />, expires <ExpiryTime at={now() + 60 * day} />
          , or <ExpiryTime at={now() + 3 * day} />.
        </p>
        <Progress label="Rows imported" done={0.42} />
        <Note>A remark beside what it is about.</Note>
        <Note kind="warn">The last 3 requests failed. No event is lost.</Note>
        <Note kind="bad">No answer from Crosswalk. Nothing that you typed is lost. Try again.</Note>
        <Secret label="Website forms, live" value="svc_live_4kH0q9mPzX7rJt2vBnYc8LwEaUd3sFgQ" />
        <Code label="Lines for a terminal">{curl('/contacts?limit=3')}</Code>
        <QrCode
          text="otpauth://totp/Crosswalk:nina@lantern.example?secret=JBSWY3DPEHPK3PXP"
          label="A QR code"
        />
      </div>
    </SectionBody>
  </Section>
)
