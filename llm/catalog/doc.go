// Package catalog knows well-known models: how much their context holds and
// what their tokens cost.
//
// # The way through
//
// [Lookup] finds a model by the name that an endpoint has for it; [PriceAt]
// says what it costs there. The table is in table.go.
//
// # Promises
//
// A name may carry a provider in front and a date, a variant or a quantisation
// behind. A price is given only where it is known: of an unknown variant of a
// priced model there is none, and a model with open weights has as many
// prices as there are hosts, so it has one only at its maker's. Nothing here
// does I/O or keeps state.
//
// # Who may call what when
//
// Anyone, at any time.
//
// # How to add one
//
// A row in table.go; the date at its top says when the prices were read.
package catalog
