package io.peregrine.gendc;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/** A read-only window on an array of views that are used again and again. */
final class ViewList<E> extends AbstractList<E> implements RandomAccess {
    private E[] views;
    private int from;
    private int count;

    ViewList(E[] none) {
        views = none;
    }

    void set(E[] array, int first, int length) {
        views = array;
        from = first;
        count = length;
    }

    @Override
    public E get(int index) {
        return views[from + Objects.checkIndex(index, count)];
    }

    @Override
    public int size() {
        return count;
    }
}
