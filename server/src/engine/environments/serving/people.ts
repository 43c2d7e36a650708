/** Names of people. All made up. */

export const firstNames =
  'Adela Bram Corin Dalia Edwin Fenna Gideon Hanne Ilya Jorun Kasimir Liese Marek Nadia Osric Petra Quentin Rosalind Stellan Tamsin Ulric Verena Wendel Xenia Yorick Zelda Anselm Brigid Caspar Doreen Emeric Flora Goran Henrike Ingmar Jolanda Klaas Leonie Milan Noor Ottilie Pavel Runa Sverre Tilda Urban Viola Wanda Ysolde Zeno'.split(
    ' ',
  );

export const lastNames =
  'Abernath Birkholt Calloway Drummond Elvestad Farnsby Garrick Holloway Ivarsen Jessop Kestrel Lindqvist Marlowe Norwick Ostrander Pemberly Quayle Ravenhill Saltmarsh Thackeray Underhill Vasquelle Whitlock Yarrow Zimmerling Ashcombe Bexley Crowhurst Dunmore Eastlake Fairweather Greaves Hathersage Inglewood Kirkbride Lockridge Merriday Netherby Oakeshott Pendleton'.split(
    ' ',
  );
