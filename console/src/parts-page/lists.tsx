import { Button } from '../parts/button.tsx'
import { Figures } from '../parts/figures.tsx'
import { MenuButton } from '../parts/menu.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { RowActs, Table } from '../parts/table.tsx'
import { Tag } from '../parts/tag.tsx'
import { EndTime } from '../parts/time.tsx'
import { now } from '../parts/times.ts'
import { say } from '../parts/toast.tsx'

const columns = [
  { name: 'Name' },
  { name: 'Permissions', width: 180, optional: true },
  { name: 'Status', width: 140, optional: true },
  { name: 'Expires', width: 140, phoneWidth: 110 },
  { name: 'Acts', width: 150, phoneWidth: 64, isHidden: true },
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

/** A grid with actions, and figures. */
export const Lists = () => (
  <>
    <Section title="Grid" about="On a phone, the columns that do not decide are left out.">
      <div className="rule">
        <Table label="Grid" columns={columns}>
          {rows.map(({ name, isTest, days, kind, status }) => (
            <tr key={name}>
              <th scope="row">
                <span className="rail">
                  <span className="cut">{name}</span>
                  {isTest && <Tag kind="test">test</Tag>}
                </span>
              </th>
              <td className="opt">contacts:write</td>
              <td className="opt">
                <State kind={kind}>{status}</State>
              </td>
              <td>
                <EndTime at={days === null ? null : now() + days * 86_400} />
              </td>
              <td>
                <RowActs>
                  <span className="opt">
                    <Button kind="quiet" icon="rotate" data-shy="" aria-label={`Rotate ${name}`}>
                      Rotate
                    </Button>
                  </span>
                  <MenuButton
                    label={`Acts for ${name}`}
                    acts={[{ name: 'Rename', run: () => say(`You chose to rename ${name}.`) }]}
                  />
                </RowActs>
              </td>
            </tr>
          ))}
        </Table>
      </div>
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
