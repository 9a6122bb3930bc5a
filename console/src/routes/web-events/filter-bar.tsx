import { Select } from '../../parts/field.tsx'
import { FilterBar, IdFilter, TextFilter } from '../../parts/filters.tsx'
import { useScope } from '../../shell/scope.tsx'
import { modeOf, noFilters, trackingCalls, type WebEventFilters } from './filters.ts'

/** @param names the names of the events in the list, which the name field suggests */
export function WebEventFilterBar({
  filters,
  names,
  onChange,
}: {
  filters: WebEventFilters
  names: readonly (string | null)[]
  onChange: (next: WebEventFilters) => void
}) {
  const { mode } = useScope()
  const known = [...new Set(names)].filter((name) => name !== null).sort()
  return (
    <FilterBar
      isFiltered={Object.values(filters).some((value) => value !== undefined)}
      onClear={() => onChange(noFilters)}
    >
      <Select
        label="Call"
        value={filters.type ?? ''}
        options={[['', 'Every call'], ...trackingCalls]}
        onChange={(type) => onChange({ type: type || undefined })}
      />
      <TextFilter
        label="Name, as the page sends it"
        value={filters.name ?? ''}
        placeholder="Signed Up"
        list="web-event-names"
        onChange={(name) => onChange({ name: name || undefined })}
      />
      <datalist id="web-event-names">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Select
        label="Mode"
        value={modeOf(filters, mode)}
        options={[
          ['all', 'Live and test'],
          ['live', 'Live'],
          ['test', 'Test'],
        ]}
        onChange={(events) => onChange({ events })}
      />
      <Select
        label="By"
        value={filters.by ?? ''}
        options={[
          ['', 'Everybody'],
          ['people', 'People'],
          ['bots', 'Bots'],
        ]}
        onChange={(by) => onChange({ by: by || undefined })}
      />
      <IdFilter
        label="Visitor id"
        value={filters.visitor ?? ''}
        placeholder="5f0c62a1-…"
        onChange={(visitor) => onChange({ visitor: visitor || undefined })}
      />
    </FilterBar>
  )
}
