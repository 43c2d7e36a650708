/** What merchants and payees are called. All made up. */
import type { MerchantCategory } from './tables.ts';

export const merchantEndings: Readonly<Record<MerchantCategory, readonly string[]>> = {
  groceries: ['Pantry', 'Greengrocer', 'Market Hall'],
  dining: ['Bistro', 'Noodle House', 'Tavern'],
  fuel: ['Fuel Stop', 'Filling Station', 'Motor Services'],
  pharmacy: ['Pharmacy', 'Apothecary', 'Chemist'],
  electronics: ['Electronics', 'Devices', 'Computer Exchange'],
  travel: ['Journeys', 'Air Tickets', 'Rail Tours'],
  jewelry: ['Jewellers', 'Gold Works', 'Gem House'],
  gift_cards: ['Gift Cards', 'Voucher Shop', 'Card Kiosk'],
};

export const merchantFronts =
  'Amberley Blackthorn Copperhill Dovetail Eastgate Foxglove Greystone Heron Ironbridge Juniper Kingfisher Larkspur Millrace Northgate Otterburn Pinewood Quayside Redbrook Silverleaf Thornbury'.split(
    ' ',
  );

export const payeeFronts =
  'Aldgate Brightwater Cloverdale Deepwell Elderfield Farrow Glenmore Highfield Innisfree Jarrow Kelso Longmeadow Marchmont Netherton Orchard Penrose Queensferry Rosemount Stonegate Tolworth'.split(
    ' ',
  );

export const payeeTypes = ['supplier', 'landlord', 'contractor', 'utility', 'charity'] as const;

export const payeeEndings: Readonly<Record<(typeof payeeTypes)[number], string>> = {
  supplier: 'Supplies',
  landlord: 'Properties',
  contractor: 'Contracting',
  utility: 'Utilities',
  charity: 'Foundation',
};

export const jurisdictions = ['Delaware', 'Oregon', 'Ontario', 'Malta', 'Cyprus', 'Singapore'];
