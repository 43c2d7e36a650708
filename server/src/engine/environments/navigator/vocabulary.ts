/**
 * The words that names are made of. Each part is one ASCII word, so that a name is two tokens and only a twin
 * has more; no part is a label, a status or a section name, so that a name never reads like a field.
 */

export const projectNames = {
  first: `Amaranth Basalt Cinnabar Cobalt Damask Feldspar Fallow Gamboge Gypsum Halcyon Heather Isabel Jasmine
    Larkspur Madder Nacre Obsidian Periwinkle Quartz Russet Sorrel Thistle Umber Vermilion`,
  second: `Badger Caracal Curlew Dormouse Ermine Firefly Gannet Gecko Heron Ibex Jackdaw Kestrel Lapwing Marmot
    Nightjar Osprey Petrel Quail Redstart Skylark Turnstone Vole Wagtail Yaffle`,
};

export const personNames = {
  first: `Adaeze Agnes Anselm Benedikt Bruna Cassius Chiara Daichi Delphine Dorota Eamon Elif Esteban Farah
    Fenna Gareth Giulia Hedda Hiroshi Ilse Imran Jovana Kasimir Leocadia Lorcan Malika Matteo Nadir Odile
    Oskar Pilar Quentin Ravi Rosalind Sanna Tadeo Ursula Vikram Wiebke Yusra`,
  last: `Abernathy Adeyemi Albrecht Arslan Baptiste Bellini Bhatt Brandvold Calloway Castellan Chaudhry Cisneros
    Dahlgren Delacroix Devereux Dimov Eskola Falkner Farouk Ferreira Gallagher Ghosh Grimaldi Gustavsen
    Hakimi Hallberg Hoshino Iqbal Jankovic Jelinek Kapoor Kowalczyk Lachance Lindqvist Maalouf Marchetti
    Mbatha Moreau Nakagawa Nilsen Obuya Okonjo Palermo Pellegrin Quispe Radcliffe Rahimi Rosenthal Sakamoto
    Salazar Schroder Sorensen Takahara Thorvald Uchenna Vandermeer Villanueva Whitlock Yamashiro Zielinski`,
};

export const departmentNames = {
  first: `Applied Auxiliary Central Civic Coastal Combined Continuing Corporate Diagnostic Domestic Emergent
    Federal General Inland Integrated Internal Joint Midland Mobile National Outer Pacific Rural Strategic
    Upland`,
  second: `Accounts Acoustics Analytics Archives Assurance Bursary Chemistry Compliance Forestry Freight Genetics
    Hydrology Insurance Litigation Metrology Mobility Nutrition Optics Payments Publishing Recruitment
    Robotics Seismology Translation Treasury`,
};

export const facilityNames = {
  first: `Alderbrook Ashcombe Barrowfield Birchmere Blackfen Brackenhurst Briarcliff Calderwick Claymoor
    Copperhill Dunmarrow Elderglen Fernley Foxholt Glenharrow Greystoke Harrowgate Hazelmere Hollybank
    Ironbridge Kelpwater Kingsmarsh Larchwood Marlowe Meadowbank Millrace Nettlecombe Oakhanger Otterburn
    Pinecrest Quarryside Ravenscar Rushmere Saltmarsh Silverbeck Stonebow Thornbury Wexcombe Willowbed
    Yarrowdale`,
  second: `Bakery Foundry Greenhouse Laboratory Observatory Sawmill Tannery Warehouse`,
};

export const regionNames = {
  first: `Amber Arid Boreal Broken Cedar Chalk Copper Drifting Empty Fertile Granite Hidden Hollow Juniper Limestone
    Marble Misty Painted Quiet Salted Shining Silent Sunken Verdant Winding`,
  second: `Bight Bluffs Canyon Cove Delta Dunes Escarpment Fjord Flats Foothills Gorge Headland Isles Lagoon
    Lowlands Moor Narrows Peninsula Plateau Prairie Sound Steppe Strait Valley Wolds`,
};

export const vendorNames = {
  first: `Abacus Alcove Alloy Anvil Argosy Arrow Aurora Beacon Bellwether Bramble Bulwark Caravel Catalpa Cinder
    Clipper Compass Corbel Cygnet Dovetail Ember Falcon Filament Flint Gantry Garland Girder Harbinger
    Hatchet Helix Hornbeam Juncture Kiln Lattice Lodestar Magnet Mantle Meridian Monolith Nimbus Orchard
    Palisade Pendulum Pinnacle Plumb Prism Quiver Ratchet Sextant Spindle Sterling Summit Tandem Tiller
    Trellis Turret Vanguard Vertex Voyage Whetstone Zenith`,
  second: `Couriers Electronics Fabrics Fasteners Lubricants Plastics Stationers Timber`,
};

/** The words of a list above. */
export function words(list: string): string[] {
  return list.trim().split(/\s+/);
}
