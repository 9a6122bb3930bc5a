import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { minorOf } from '../../parts/numbers.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { stagesQuery, summaryQuery } from '../../records/deals/queries.ts'
import { companies } from '../../records/kinds.ts'
import { RecordPicker } from '../../records/record-picker.tsx'
import { useNewOwner } from '../../records/use-new-owner.ts'
import { useScope } from '../../shell/scope.tsx'
import { mainCurrencyOf } from './amounts.ts'
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
  const owner = useNewOwner()
  const { data: { stages = [] } = {} } = useQuery(stagesQuery(scope))
  const summary = useQuery(summaryQuery(scope))
  const [name, setName] = useState('')
  const [amount, setAmount] = useState('')
  const [typedCurrency, setCurrency] = useState<string | null>(null)
  const [chosenStage, setStage] = useState(asked)
  const [closeOn, setCloseOn] = useState('')
  const [companyId, setCompanyId] = useState<string | null>(null)
  const stage = chosenStage ?? stages[0] ?? ''
  const currency = typedCurrency ?? (summary.data && mainCurrencyOf(summary.data)) ?? 'EUR'
  const typed = amount.trim()
  const code = /^[a-z]{3}$/i.test(currency.trim()) ? currency.trim().toUpperCase() : 'EUR'
  const minor = typed === '' ? null : minorOf(typed, code)
  const isWrong = typed !== '' && minor === null
  const form = useSubmit(
    async () =>
      scope.api.deals.create({
        ...{ name, stage, company_id: companyId, owner_id: owner.ownerId },
        ...{ expected_close_on: closeOn || null, source: 'console' },
        // Even without an amount: somebody adds the amount later.
        currency: currency.trim() || null,
        ...(minor === null ? {} : { amount_cents: minor }),
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
          error={isWrong ? 'Type a number, such as 12,500 or 99.50.' : errorAt('amount_cents')}
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
      {scope.can('companies:read') && (
        <RecordPicker
          kind={companies}
          label="Company"
          placeholder="Find by name or domain"
          recordId={companyId}
          onChange={setCompanyId}
        />
      )}
      <Select {...owner.field} error={errorAt('owner_id')} />
    </FormDialog>
  )
}
