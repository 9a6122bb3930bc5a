import { Fragment, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { DisclosureButton } from '../parts/disclosure.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { Figures } from '../parts/figures.tsx'
import { MenuButton } from '../parts/menu.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { RowActions, RowDetails, Table } from '../parts/table.tsx'
import { Tag } from '../parts/tag.tsx'
import { ExpiryTime, Time } from '../parts/time.tsx'
import { now } from '../parts/times.ts'
import { showToast } from '../parts/toast.tsx'

const columns = [
  { name: 'Name' },
  { name: 'Permissions', width: 180, optional: true },
  { name: 'Status', width: 140, optional: true },
  { name: 'Expires', width: 140, phoneWidth: 110 },
  { name: 'Actions', width: 150, phoneWidth: 64, isHidden: true },
]

const rows = [
  { name: 'Website forms', isTest: false, days: 84, kind: 'ok', status: 'in use' },
  {
    name: 'A key with a name that is far too long for its column',
    isTest: true,
    days: 3,
    kind: 'run',
    status: 'waits',
  },
  { name: 'Nightly export', isTest: false, days: null, kind: 'warn', status: 'unused' },
] as const

/** A grid with actions, figures, and the facts about one thing. */
export const Lists = () => (
  <>
    <Rows />
    <Section title="Facts">
      <SectionBody>
        <Facts>
          <Fact name="Status" wide>
            <State kind="warn">on</State>
            <span className="three">the last 3 tries failed</span>
          </Fact>
          <Fact name="Events">all</Fact>
          <Fact name="Created">
            <Time at={now() - 3 * 86_400} />
          </Fact>
          <Fact name="Endpoint id" wide>
            <span className="mono cut">01a1fe49-a370-7040-bfb4-6c917db78a2c</span>
            <CopyButton text="01a1fe49-a370-7040-bfb4-6c917db78a2c" />
          </Fact>
        </Facts>
      </SectionBody>
    </Section>
    <Section title="Figures">
      <SectionBody>
        <Figures
          figures={[
            { name: 'Delivered', value: '12,408' },
            { name: 'Failed', value: '31', about: 'less than 1% of the requests', isBad: true },
            { name: 'Average time', value: '84 ms' },
            { name: 'Wait for another try', value: '0', about: 'events, now' },
          ]}
        />
      </SectionBody>
    </Section>
  </>
)

function Rows() {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Section title="Grid" about="On a phone, the columns that do not decide are left out.">
      <div className="rule">
        <Table label="Grid" columns={columns}>
          {rows.map(({ name, isTest, days, kind, status }, index) => (
            <Fragment key={name}>
              <tr>
                <th scope="row">
                  <span className="rail">
                    <DisclosureButton
                      isOpen={open === name}
                      onChange={(isOpen) => setOpen(isOpen ? name : null)}
                      controls={`details-${index}`}
                    >
                      <span className="cut">{name}</span>
                    </DisclosureButton>
                    {isTest && <Tag kind="test">test</Tag>}
                  </span>
                </th>
                <td className="opt">contacts:write</td>
                <td className="opt">
                  <State kind={kind}>{status}</State>
                </td>
                <td>
                  <ExpiryTime at={days === null ? null : now() + days * 86_400} />
                </td>
                <td>
                  <RowActions>
                    <span className="opt">
                      <Button kind="quiet" icon="rotate" data-shy="" aria-label={`Rotate ${name}`}>
                        Rotate
                      </Button>
                    </span>
                    <MenuButton
                      label={`Actions for ${name}`}
                      acts={[{ name: 'Rename', run: () => showToast(`You chose to rename ${name}.`) }]}
                    />
                  </RowActions>
                </td>
              </tr>
              {open === name && <RowDetails id={`details-${index}`}>More about {name}.</RowDetails>}
            </Fragment>
          ))}
        </Table>
      </div>
    </Section>
  )
}
