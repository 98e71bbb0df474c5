# frozen_string_literal: true

require "json"
require_relative "item"

module Shop
  class Cart < Base
    attr_reader :items

    def initialize(items = [])
      @items = items
    end

    def total
      @items.map(&:price).sum
    end

    def each
      return enum_for(:each) unless block_given?

      @items.each do |item|
        yield item
      end
    end
  end
end
