import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { useSession } from '../../api/use-session.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { minorOf } from '../../parts/numbers.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { stagesQuery, summaryQuery } from '../../records/deals/queries.ts'
import { ownersQuery } from '../../records/owners.ts'
import { useScope } from '../../shell/scope.tsx'
import { mainCurrencyOf } from './amounts.ts'
import { CompanyField } from './company-field.tsx'
import styles from './deal-dialog.module.css'

const places = ['name', 'amount_cents', 'currency', 'stage', 'expected_close_on', 'owner_id']

/** Creates a deal. */
export function DealDialog({
  stage: asked = null,
  onClose,
  onDone,
}: {
  /** null: the first one. */
  stage?: string | null
  onClose: () => void
  onDone: (deal: Deal) => void
}) {
  const scope = useScope()
  const { member } = useSession()
  const owners = useQuery(ownersQuery(scope))
  const { data: { stages = [] } = {} } = useQuery(stagesQuery(scope))
  const summary = useQuery(summaryQuery(scope))
  const [name, setName] = useState('')
  const [amount, setAmount] = useState('')
  const [typedCurrency, setCurrency] = useState<string | null>(null)
  const [chosenStage, setStage] = useState(asked)
  const [closeOn, setCloseOn] = useState('')
  const [ownerId, setOwnerId] = useState<string | null>(null)
  const [companyId, setCompanyId] = useState<string | null>(null)
  const stage = chosenStage ?? stages[0] ?? ''
  const currency = typedCurrency ?? (summary.data && mainCurrencyOf(summary.data)) ?? 'EUR'
  // A person of an agency is no member of its client, and cannot own its deals.
  const isMember = owners.data?.some(({ owner_id }) => owner_id === member.member_id) ?? false
  const owner = ownerId ?? (isMember ? member.member_id : '')
  const typed = amount.trim()
  const code = /^[a-z]{3}$/i.test(currency.trim()) ? currency.trim().toUpperCase() : 'EUR'
  const minor = typed === '' ? null : minorOf(typed, code)
  const isWrong = typed !== '' && minor === null
  const form = useSubmit(
    async () =>
      scope.api.deals.create({
        ...{ name, stage, company_id: companyId, owner_id: owner || null },
        ...{ expected_close_on: closeOn || null },
        ...(minor === null ? {} : { amount_cents: minor, currency: currency.trim() }),
      }),
    { places, onDone },
  )
  const { errorAt } = form
  return (
    <FormDialog
      title="New deal"
      act="Create deal"
      form={form}
      isBlocked={isWrong || name.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={errorAt('name')}
        maxLength={300}
        autoComplete="off"
        autoFocus
        required
      />
      <div className={styles.pair}>
        <TextField
          label="Amount"
          value={amount}
          onChange={setAmount}
          error={isWrong ? 'Type a number, such as 12,500.' : errorAt('amount_cents')}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          label="Currency"
          value={currency}
          onChange={setCurrency}
          error={errorAt('currency')}
          maxLength={3}
          autoComplete="off"
        />
      </div>
      <div className={styles.pair}>
        <Select
          label="Stage"
          value={stage}
          options={stages.map((one) => [one, one] as const)}
          onChange={setStage}
          error={errorAt('stage')}
        />
        <TextField
          label="Expected close"
          type="date"
          value={closeOn}
          onChange={setCloseOn}
          error={errorAt('expected_close_on')}
        />
      </div>
      {scope.can('companies:read') && <CompanyField companyId={companyId} onChange={setCompanyId} />}
      <Select
        label="Owner"
        value={owner}
        options={[
          ['', 'Nobody'],
          ...(owners.data ?? []).map(
            ({ owner_id, name }) =>
              [owner_id, owner_id === member.member_id ? `${name} (you)` : name] as const,
          ),
        ]}
        onChange={setOwnerId}
        error={errorAt('owner_id')}
      />
    </FormDialog>
  )
}
