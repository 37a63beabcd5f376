package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"aye/llm"
)

// tryTime is how long an endpoint may take to list its models before the chat
// opens without the list.
const tryTime = 5 * time.Second

// try asks the endpoint of conf for its models, so that what is wrong with it
// is known while it can still be put right. The error is what would keep every
// message from being answered; unlisted is a doubt about the model.
func try(ctx context.Context, conf config) (unlisted string, err error) {
	limited, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	models, err := wire(conf).Models(limited)
	if ctx.Err() != nil { // the person does not want it any more
		return "", ctx.Err()
	}
	if e := (*llm.Error)(nil); errors.As(err, &e) && hopeless(e) {
		return "", err
	}
	if err != nil || len(models) == 0 { // many endpoints that answer have no list
		return "", nil
	}
	var names []string
	for _, m := range models {
		names = append(names, m.ID)
	}
	if slices.Contains(names, conf.model.value) {
		return "", nil
	}
	return "The endpoint does not list " + conf.model.value + "; it lists " + some(names) + ".", nil
}

func hopeless(e *llm.Error) bool {
	answered := e.Status == 0 || e.Status/100 == 2
	return e.Kind == llm.Auth || e.Kind == llm.Unreachable || e.Kind == llm.NotFound && answered
}

// some names a few of many.
func some(names []string) string {
	const most = 4
	if len(names) > most {
		names = append(names[:most:most], "others")
	}
	return list(names, "and")
}
