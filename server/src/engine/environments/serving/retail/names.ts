/** What people, places and goods of the shop are called. All made up. */
import type { ProductCategory } from './tables.ts';

/** City, state and the first three digits of its zip codes. */
export const places: readonly (readonly [city: string, state: string, zip: string])[] = [
  ['Portland', 'OR', '972'],
  ['Madison', 'WI', '537'],
  ['Boise', 'ID', '837'],
  ['Columbus', 'OH', '432'],
  ['Denver', 'CO', '802'],
  ['Richmond', 'VA', '232'],
  ['Tucson', 'AZ', '857'],
  ['Albany', 'NY', '122'],
  ['Spokane', 'WA', '992'],
  ['Omaha', 'NE', '681'],
];

export const specialPlaces: Readonly<Record<string, readonly [city: string, zip: string]>> = {
  FL: ['Tampa', '336'],
  TX: ['Austin', '787'],
};

export const streets = [
  'Alder Row',
  'Brook Street',
  'Cedar Lane',
  'Dune Road',
  'Elm Terrace',
  'Ferry Street',
  'Grove Avenue',
  'Hill Crescent',
  'Juniper Way',
  'Lantern Court',
];

export const makers = [
  'Harbor',
  'Tern',
  'Marlin',
  'Oakfield',
  'Pale Fox',
  'Rundel',
  'Skerry',
  'Weft',
  'Nordlys',
];

interface Goods {
  readonly name: string;
  /** Lowest and highest price in dollars. */
  readonly price: readonly [number, number];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

const colours = ['graphite', 'sand', 'moss', 'brick'];
const sizes = ['S', 'M', 'L'];

/** The names of audio goods: a part of electronics. */
export const audioGoods: ReadonlySet<string> = new Set([
  'Portable Speaker',
  'Over-Ear Headphones',
  'Wireless Earbuds',
  'Soundbar',
  'Turntable',
]);

export const goods: Readonly<Record<ProductCategory, readonly Goods[]>> = {
  electronics: [
    {
      name: 'Portable Speaker',
      price: [40, 130],
      options: { colour: colours, size: ['small', 'medium', 'large'] },
    },
    {
      name: 'Over-Ear Headphones',
      price: [60, 190],
      options: { colour: colours, cable: ['none', '1.5 m', '3 m'] },
    },
    {
      name: 'Wireless Earbuds',
      price: [35, 150],
      options: { colour: colours, tips: ['foam', 'silicone', 'mixed'] },
    },
    {
      name: 'Soundbar',
      price: [80, 240],
      options: { colour: colours, length: ['60 cm', '80 cm', '100 cm'] },
    },
    {
      name: 'Turntable',
      price: [90, 260],
      options: { finish: colours, drive: ['belt', 'direct', 'hybrid'] },
    },
    {
      name: 'Reading Tablet',
      price: [70, 230],
      options: { colour: colours, storage: ['16 GB', '32 GB', '64 GB'] },
    },
    {
      name: 'Trail Camera',
      price: [55, 210],
      options: { colour: colours, lens: ['wide', 'standard', 'tele'] },
    },
    { name: 'Fitness Band', price: [25, 120], options: { colour: colours, strap: sizes } },
    {
      name: 'Desk Keyboard',
      price: [30, 140],
      options: { colour: colours, switches: ['quiet', 'tactile', 'linear'] },
    },
    { name: 'Mesh Router', price: [50, 180], options: { colour: colours, pack: ['one', 'two', 'three'] } },
    {
      name: 'Power Bank',
      price: [20, 90],
      options: { colour: colours, capacity: ['5 Ah', '10 Ah', '20 Ah'] },
    },
  ],
  apparel: [
    { name: 'Rain Jacket', price: [45, 160], options: { colour: colours, size: sizes } },
    { name: 'Wool Sweater', price: [40, 130], options: { colour: colours, size: sizes } },
    { name: 'Linen Shirt', price: [25, 80], options: { colour: colours, size: sizes } },
    {
      name: 'Walking Boots',
      price: [60, 190],
      options: { colour: colours, width: ['narrow', 'regular', 'wide'] },
    },
    {
      name: 'Canvas Sneakers',
      price: [30, 95],
      options: { colour: colours, width: ['narrow', 'regular', 'wide'] },
    },
    {
      name: 'Knit Scarf',
      price: [15, 50],
      options: { colour: colours, length: ['short', 'medium', 'long'] },
    },
    { name: 'Cycling Gloves', price: [15, 55], options: { colour: colours, size: sizes } },
    { name: 'Day Pack', price: [35, 120], options: { colour: colours, volume: ['15 l', '20 l', '25 l'] } },
  ],
  home: [
    {
      name: 'Floor Lamp',
      price: [40, 170],
      options: { finish: colours, height: ['120 cm', '140 cm', '160 cm'] },
    },
    {
      name: 'Cast Iron Pan',
      price: [25, 95],
      options: { enamel: colours, diameter: ['20 cm', '24 cm', '28 cm'] },
    },
    {
      name: 'Cotton Bedding',
      price: [35, 140],
      options: { colour: colours, size: ['single', 'double', 'king'] },
    },
    {
      name: 'Wall Clock',
      price: [20, 85],
      options: { colour: colours, diameter: ['25 cm', '30 cm', '40 cm'] },
    },
    { name: 'Kettle', price: [25, 90], options: { colour: colours, volume: ['1.0 l', '1.5 l', '1.7 l'] } },
    {
      name: 'Storage Basket',
      price: [15, 60],
      options: { colour: colours, size: ['small', 'medium', 'large'] },
    },
    {
      name: 'Hand Loomed Rug',
      price: [60, 230],
      options: { colour: colours, size: ['runner', 'small', 'large'] },
    },
    {
      name: 'Side Table',
      price: [45, 180],
      options: { finish: colours, height: ['40 cm', '50 cm', '60 cm'] },
    },
  ],
};
