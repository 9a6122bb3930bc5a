import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field, FieldEntity } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { fieldsQuery } from '../../../records/use-fields.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { DeleteFieldDialog } from './delete-field-dialog.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { FieldRow } from './field-row.tsx'
import { RenameOptionDialog } from './rename-option-dialog.tsx'
import { entityNames } from './words.ts'

type Open =
  | { kind: 'create'; entity: FieldEntity }
  | { kind: 'edit'; field: Field }
  | { kind: 'rename'; field: Field }
  | { kind: 'delete'; field: Field }

const columns = [
  { name: 'Field' },
  { name: 'Key', width: 180, optional: true },
  { name: 'Type', width: 220, phoneWidth: 110 },
  { name: 'Actions', width: 150, phoneWidth: 150, isHidden: true },
]

/** The fields that the organization defined for its records. */
export function FieldsPage() {
  const scope = useScope()
  const query = fieldsQuery(scope)
  const fields = useQuery({
    ...query,
    // Follow the conversion of values, and the build of an index.
    refetchInterval: ({ state }) =>
      state.data?.fields.some(
        ({ conversion, index_state }) => conversion?.state === 'running' || index_state === 'building',
      )
        ? 2_000
        : false,
  })
  const queries = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const mayManage = scope.can('organization:manage')
  const close = () => setOpen(null)
  const done = () => {
    close()
    void queries.invalidateQueries({ queryKey: query.queryKey })
  }
  const create = (entity: FieldEntity) => setOpen({ kind: 'create', entity })
  useKey('c', () => mayManage && create('contact'))
  return (
    <>
      <SettingsActions>
        {mayManage && (
          <Button kind="main" icon="plus" shortcut="C" onClick={() => create('contact')}>
            New field
          </Button>
        )}
      </SettingsActions>
      <SettingsHead title="Fields">
        Fields that only your organization has. Programs find their values in{' '}
        <span className="mono">custom</span>. Each value must fit the type of its field, even if a program or
        an import writes it.
      </SettingsHead>
      <Loaded query={fields}>
        {(list) =>
          entityNames.map(([entity, name]) => {
            const own = list.fields.filter((field) => field.entity === entity)
            return (
              <Section
                key={entity}
                title={name}
                act={
                  mayManage && (
                    <Button kind="quiet" icon="plus" onClick={() => create(entity)}>
                      New field<span className="sr"> of {name}</span>
                    </Button>
                  )
                }
              >
                {own.length === 0 ? (
                  <SectionBody>
                    <p className="three">{name} have no fields of your own yet.</p>
                  </SectionBody>
                ) : (
                  <Table label={`Fields of ${name}`} columns={columns} hasControls={mayManage}>
                    {own.map((field, index) => (
                      <FieldRow
                        key={field.field_id}
                        field={field}
                        mayManage={mayManage}
                        {...{ isFirst: index === 0, isLast: index === own.length - 1 }}
                        onEdit={() => setOpen({ kind: 'edit', field })}
                        onRename={
                          field.options.length > 0 ? () => setOpen({ kind: 'rename', field }) : undefined
                        }
                        onDelete={() => setOpen({ kind: 'delete', field })}
                        onMoved={done}
                      />
                    ))}
                  </Table>
                )}
              </Section>
            )
          })
        }
      </Loaded>
      {open?.kind === 'create' && (
        <FieldDialog field={null} entity={open.entity} onClose={close} onDone={done} />
      )}
      {open?.kind === 'edit' && (
        <FieldDialog field={open.field} entity={open.field.entity} onClose={close} onDone={done} />
      )}
      {open?.kind === 'rename' && <RenameOptionDialog field={open.field} onClose={close} onDone={done} />}
      {open?.kind === 'delete' && <DeleteFieldDialog field={open.field} onClose={close} onDone={done} />}
    </>
  )
}
