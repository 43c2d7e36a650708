/**
 * The six registers that a document is made of: which type links to which, what its entries say, and how its
 * names, values and twins look. Figures are those of the published environment; words are our own.
 */
import type { EntityType } from './instance.ts';
import {
  departmentNames,
  facilityNames,
  personNames,
  projectNames,
  regionNames,
  vendorNames,
  words,
} from './vocabulary.ts';

/** A field with a unique number as its value. */
export interface Attribute {
  readonly label: string;
  /** Printed before the number, e.g. `PJ-`. */
  readonly prefix: string;
  readonly low: number;
  readonly high: number;
  /** Values in one chunk lie within this distance of a common centre, so that a near miss is near. */
  readonly halfWidth: number;
  /** Print thousands commas. */
  readonly commas: boolean;
}

export interface Register {
  readonly type: EntityType;
  readonly section: string;
  /** The field that holds the bridge to the next register. */
  readonly link: string;
  readonly next: EntityType;
  readonly attributes: readonly [Attribute, Attribute];
  /** Appended to a name to make its twin's. */
  readonly twinSuffixes: readonly string[];
  readonly status: { readonly label: string; readonly values: readonly string[] };
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
}

function attribute(
  label: string,
  prefix: string,
  low: number,
  high: number,
  halfWidth: number,
  commas = false,
): Attribute {
  return { label, prefix, low, high, halfWidth, commas };
}

/** In chain order: a question starts at a project and follows the links. */
export const registers: readonly Register[] = [
  {
    type: 'project',
    section: 'Project Register',
    link: 'Lead',
    next: 'person',
    attributes: [
      attribute('Charge code', 'PJ-', 1000, 9999, 40),
      attribute('Cost centre', 'CC-', 1000, 9999, 40),
    ],
    twinSuffixes: [' II', ' Bay', ' Prime'],
    status: { label: 'Status', values: ['drafted', 'running', 'halted', 'delivered'] },
    firstNames: words(projectNames.first),
    lastNames: words(projectNames.second),
  },
  {
    type: 'person',
    section: 'Personnel Directory',
    link: 'Unit',
    next: 'department',
    attributes: [
      attribute('Badge number', '', 10_000, 99_999, 400),
      attribute('Desk extension', '', 1000, 9999, 40),
    ],
    twinSuffixes: [' Jr', '-Oakes', ' Sr'],
    status: { label: 'Grade', values: ['associate', 'senior', 'principal', 'fellow'] },
    firstNames: words(personNames.first),
    lastNames: words(personNames.last),
  },
  {
    type: 'department',
    section: 'Department Ledger',
    link: 'Site',
    next: 'facility',
    attributes: [
      attribute('Annual budget', '', 1_000_000, 9_999_999, 60_000, true),
      attribute('Ledger code', 'LG-', 1000, 9999, 40),
    ],
    twinSuffixes: [' Support', ' Field Ops', ' Reserve'],
    status: { label: 'Review cycle', values: ['monthly', 'quarterly', 'yearly'] },
    firstNames: words(departmentNames.first),
    lastNames: words(departmentNames.second),
  },
  {
    type: 'facility',
    section: 'Facilities Register',
    link: 'Region',
    next: 'region',
    attributes: [
      attribute('Floor area', '', 10_000, 99_999, 800, true),
      attribute('Asset tag', 'FA-', 10_000, 99_999, 400),
    ],
    twinSuffixes: [' Annex', ' North', ' Yard'],
    status: { label: 'Access', values: ['unrestricted', 'by pass', 'escorted', 'sealed'] },
    firstNames: words(facilityNames.first),
    lastNames: words(facilityNames.second),
  },
  {
    type: 'region',
    section: 'Regional Offices',
    link: 'Primary carrier',
    next: 'vendor',
    attributes: [
      attribute('Postal prefix', 'RX-', 1000, 9999, 40),
      attribute('Tax code', 'TX-', 10_000, 99_999, 400),
    ],
    twinSuffixes: [' East', ' Upper', ' Coast'],
    status: { label: 'Tier', values: ['first', 'second', 'third'] },
    firstNames: words(regionNames.first),
    lastNames: words(regionNames.second),
  },
  {
    type: 'vendor',
    section: 'Vendor Roster',
    link: 'Account manager',
    next: 'person',
    attributes: [
      attribute('Contract number', 'CN-', 10_000, 99_999, 400),
      attribute('Account number', 'AC-', 100_000, 999_999, 4000),
    ],
    twinSuffixes: [' Holdings', ' Ltd', ' Group'],
    status: { label: 'Terms', values: ['on delivery', 'within a week', 'within a month', 'in instalments'] },
    firstNames: words(vendorNames.first),
    lastNames: words(vendorNames.second),
  },
];

const byType = new Map<string, Register>(registers.map((register) => [register.type, register]));

/** The register of an entity type; undefined for a type that no register has. */
export function registerOf(type: string): Register | undefined {
  return byType.get(type);
}

/** The types that a chain of `hops` visits, in order: project, person, department, facility, region, vendor, person, … */
export function chainRegisters(hops: number): Register[] {
  const visited: Register[] = [];
  let type: string = 'project';
  for (let hop = 0; hop < hops; hop++) {
    const register = registerOf(type);
    if (register === undefined) throw new Error(`no register of type ${type}`);
    visited.push(register);
    type = register.next;
  }
  return visited;
}

/** A number as the attribute prints it, e.g. `PJ-1234` or `4,885,866`. */
export function formatValue(attribute: Attribute, value: number): string {
  if (!attribute.commas) return attribute.prefix + value;
  return attribute.prefix + String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
