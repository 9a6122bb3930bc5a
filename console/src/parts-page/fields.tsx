import { useState } from 'react'
import { Choices } from '../parts/choices.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { Checkbox, Segments, Select, TextField } from '../parts/field.tsx'
import { FilterBar, IdFilter, TextFilter } from '../parts/filters.tsx'
import { type Grace, GraceField, type PageGrace, pageGraces } from '../parts/grace-field.tsx'
import { PermissionTable } from '../parts/permission-table.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import styles from './page.module.css'

const kinds = [
  ['sample', 'Sample data'],
  ['settings', 'Your settings'],
  ['nothing', 'Nothing'],
] as const

const roles = [
  { value: 'admin', name: 'Admin', about: 'API keys, settings, and members up to admin.' },
  { value: 'viewer', name: 'Viewer', about: 'Reads everything except API keys. Changes nothing.' },
] as const

export function Fields() {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number][0]>('sample')
  const [role, setRole] = useState<'admin' | 'viewer'>('viewer')
  const [isOn, setOn] = useState(true)
  const [grace, setGrace] = useState<Grace>('3600')
  const [pageGrace, setPageGrace] = useState<PageGrace>('604800')
  const [filter, setFilter] = useState({ name: '', id: '' })
  const [permissions, setPermissions] = useState<string[] | null>(['contacts:read', 'deals:write'])
  const field = { value: text, onChange: setText }
  const error = '`expires_in_days` must be between 1 and 365.'
  return (
    <Section
      title="Fields"
      about="The label is above. The hint or the error is below, and the error says what to do."
    >
      <SectionBody>
        <div className={styles.form}>
          <TextField
            label="Name"
            hint="The program that uses the key."
            placeholder="Website forms"
            {...field}
          />
          <TextField label="Days" error={error} {...field} />
          <TextField label="Disabled" value="Lantern Row" onChange={setText} disabled />
          <Select label="Begins with" value={kind} options={kinds} onChange={setKind} />
          <Segments label="Begins with" value={kind} options={kinds} onChange={setKind} />
          <Segments label="With an error" value={kind} options={kinds} onChange={setKind} error={error} />
          <Choices label="Role" value={role} options={roles} onChange={setRole} />
          <div className="stack">
            <Checkbox checked={isOn} onChange={setOn}>
              I have stored it
            </Checkbox>
            <Checkbox checked={!isOn} onChange={(checked) => setOn(!checked)}>
              Only failed events
            </Checkbox>
            <Checkbox checked onChange={setOn} disabled>
              Disabled
            </Checkbox>
            <Disclosure title="Headers and limits">
              <TextField label="Most requests a second" {...field} />
            </Disclosure>
          </div>
          <div className="stack">
            <GraceField label="The old token works for" value={grace} onChange={setGrace} />
            <GraceField
              label="The old key of a page works for"
              value={pageGrace}
              options={pageGraces}
              onChange={setPageGrace}
            />
          </div>
          <PermissionTable value={permissions} limit={null} onChange={setPermissions} error={null} />
        </div>
      </SectionBody>
      <div className="rule">
        <FilterBar
          isFiltered={filter.name !== '' || filter.id !== ''}
          onClear={() => setFilter({ name: '', id: '' })}
        >
          <Select label="About" value={kind} options={kinds} onChange={setKind} />
          <TextFilter
            label="Name"
            value={filter.name}
            placeholder="Signed Up"
            onChange={(name) => setFilter({ ...filter, name })}
          />
          <IdFilter label="Object id" value={filter.id} onChange={(id) => setFilter({ ...filter, id })} />
        </FilterBar>
      </div>
    </Section>
  )
}
